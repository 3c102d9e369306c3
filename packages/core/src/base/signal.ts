/** The platform's `AbortSignal`; what the client uses of it, in projects whose `lib` and types declare none. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Native } } ? Native : AnySignal;

interface AnySignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
