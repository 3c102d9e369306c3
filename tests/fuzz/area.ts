import fc from 'fast-check';

/** A place where hostile input can enter. */
export interface Area {
  name: string;
  /** A description of the property that must hold. */
  holds: string;
  /** Share of all cases, in percent. */
  share: number;
  open(): Promise<OpenArea>;
}

export interface OpenArea {
  property: fc.IAsyncProperty<[unknown]>;
  close?(): Promise<void>;
}

export interface AreaReport {
  name: string;
  cases: number;
  seconds: number;
  /** The smallest case found that violates the property, and how it does so. */
  finding: string | undefined;
}

/** Runs this many cases of one area from this seed. */
export const runArea = async ({ name, open }: Area, cases: number, seed: number): Promise<AreaReport> => {
  const started = performance.now();
  const { property, close } = await open();
  const details = await fc.check(property, { numRuns: cases, seed });
  await close?.();
  return {
    name,
    cases: details.numRuns,
    seconds: (performance.now() - started) / 1000,
    finding: details.failed ? `${details.errorInstance}\n${fc.defaultReportMessage(details)}` : undefined,
  };
};

/** Returns the property that a check succeeds for every hostile value, and leaves all prototypes unchanged. */
export const holdsFor = <Input>(input: fc.Arbitrary<Input>, check: (input: Input) => Promise<void>) =>
  fc.asyncProperty(input as fc.Arbitrary<unknown>, async (given) => {
    await check(given as Input);
    if (prototypes() !== untouched) throw new Error('A prototype has changed.');
  });

const prototypes = (): string =>
  [Object.prototype, Array.prototype, Function.prototype, String.prototype, Error.prototype]
    .map((prototype) => Reflect.ownKeys(prototype).length)
    .join();
const untouched = prototypes();

/** Whether the address is that of one of the API's three requests (§4). */
export const isApiRequest = (url: string): boolean =>
  /^https:\/\/shop(-\d+)?\.example\/api\/v1\/(me|orders\/[1-9]\d*|orders(\?(page=[1-9]\d{0,15})?&?(per_page=[1-9]\d?)?&?(status=(ausstehend|bezahlt|abgeschlossen|storniert))?)?)$/.test(
    url,
  );
