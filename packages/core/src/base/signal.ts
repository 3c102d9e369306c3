/**
 * The platform's `AbortSignal`. If the project's `lib` and types declare no `AbortSignal`, only the members that the
 * client uses.
 */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Native } } ? Native : AnySignal;

interface AnySignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
