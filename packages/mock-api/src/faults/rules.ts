import { fraction } from '../data/random.ts';
import { drawMs, type Fault, faultKinds } from './fault.ts';
import { checkFault, choosers, type FaultInput, type FaultRule, parseFault } from './rule.ts';

/** The fault and the delay of a request. */
export interface FaultMatch {
  fault?: Fault;
  delayMs: number;
}

/** The pending faults. */
export interface Faults {
  /**
   * Adds a rule, as an object or a string like `500` or `html;status=503`.
   * @throws Error that lists what is allowed; adds nothing
   */
  add(rule: FaultInput | string): void;
  /** Returns copies of the rules that still wait for requests, with how often each was applied. */
  list(): (FaultRule & { applied: number })[];
  clear(): void;
}

/** The internal view of the faults. */
export interface FaultRules extends Faults {
  /**
   * Returns the fault for a request, if any. Delays combine with one other fault.
   * @param asked the value of `x-mock-fault`
   * @param matcher whether a rule matches the request, or undefined if none can
   * @throws Error if `asked` is not a valid fault
   */
  match(asked: string | undefined, matcher: () => ((rule: FaultRule) => boolean) | undefined): FaultMatch;
  /**
   * Rejects wire faults from now on.
   * @param reason the adapter that cannot break connections @throws Error if a wire fault is pending
   */
  refuseWire(reason: string): void;
}

interface Entry {
  rule: FaultRule;
  /** Which rule it is since the last `clear`, so that its random choices stay when others are used up. */
  number: number;
  applied: number;
  matched: number;
}

/**
 * @param keyNames returns the names of the keys
 * @param isFrozen returns whether the mock started with a frozen clock that no one has resumed
 */
export const createFaults = (
  seed: number,
  keyNames: () => readonly string[],
  isFrozen: () => boolean = () => false,
): FaultRules => {
  let rules: Entry[] = [];
  let added = 0;
  let requested = 0;
  let wireless: string | undefined;

  const accept = (rule: FaultRule): FaultRule => {
    if (wireless && faultKinds[rule.kind].wire) {
      throw new Error(`the fault "${rule.kind}" breaks the connection, which ${wireless} cannot do; use listen()`);
    }
    if (isFrozen() && (rule.kind === 'delay' || rule.kind === 'drip'))
      throw new Error(endless(`the fault "${rule.kind}"`));
    return rule;
  };
  /** @param turn number of requests matched by the rule, so that other requests don't affect its random choices */
  const apply = (match: FaultMatch, fault: Fault, turn: number, number: number): void => {
    if (fault.kind !== 'delay') match.fault = fault;
    else {
      const salt = 901 + 2 * number;
      match.delayMs += drawMs(fault.ms ?? 1000, fraction(seed, turn, salt), fraction(seed, turn, salt + 1));
    }
  };
  const isDue = (entry: Entry): boolean => {
    const { skip = 0, probability } = entry.rule;
    if (++entry.matched <= skip) return false;
    return probability === undefined || fraction(seed, entry.matched, entry.number) < probability;
  };
  const isLeft = ({
    rule: { probability, times = probability === undefined ? 1 : 'always' },
    applied,
  }: Entry): boolean => times === 'always' || applied < times;

  return {
    add(rule) {
      const checked = accept(typeof rule === 'string' ? parseFault(rule) : checkFault(rule as object as never));
      if (checked.key !== undefined && !keyNames().includes(checked.key)) {
        throw new Error(`there is no key named "${checked.key}"; the keys are ${keyNames().join(', ')}`);
      }
      rules.push({ rule: checked, number: added++, applied: 0, matched: 0 });
    },
    list: () => rules.map(({ rule, applied }) => ({ ...structuredClone(rule), applied })),
    clear() {
      rules = [];
      added = 0;
      requested = 0;
    },
    match(asked, matcher) {
      const match: FaultMatch = { delayMs: 0 };
      if (asked !== undefined) apply(match, accept(parseAsked(asked)), ++requested, -1);
      if (rules.length === 0) return match;
      const matches = matcher();
      if (!matches) return match;
      for (const entry of rules) {
        if (entry.rule.kind !== 'delay' && match.fault) continue;
        if (!matches(entry.rule) || !isDue(entry)) continue;
        entry.applied++;
        apply(match, entry.rule, entry.matched, entry.number);
      }
      rules = rules.filter(isLeft);
      return match;
    },
    refuseWire(reason) {
      wireless = reason;
      for (const { rule } of rules) accept(rule);
    },
  };
};

/** Says why a delay is rejected under `frozenAt`. */
export const endless = (what: string): string =>
  `${what} would never end, since frozenAt stops the clock; remove frozenAt, or call clock.resume() first`;

/** Parses the fault in `x-mock-fault`. @throws Error if it has fields that select requests */
const parseAsked = (text: string): Fault => {
  const rule = parseFault(text);
  const chooser = choosers.find((name) => rule[name] !== undefined);
  if (chooser)
    throw new Error(`${chooser} selects requests, but the header applies only to its own; add a fault instead`);
  return rule;
};
