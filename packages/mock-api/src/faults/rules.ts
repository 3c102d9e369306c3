import { type Selection, selects } from '../api/selection.ts';
import { fraction } from '../orders/random.ts';
import { drawMs, type Fault, faultKinds } from './fault.ts';
import { checkFault, type FaultInput, type FaultRule, parseFault, targetFields } from './rule.ts';

/** The fault and the delay of a request. */
export interface FaultMatch {
  fault?: Fault;
  delayMs: number;
}

export interface Faults {
  /**
   * Adds a rule, as an object or a string like `500` or `html;status=503`.
   * @throws Error that lists what is allowed; adds nothing
   */
  add(rule: FaultInput | string): void;
  /** Returns copies of the pending rules, each with the number of times that it was applied. */
  list(): (FaultRule & { applied: number })[];
  clear(): void;
}

/** The internal view of the faults. */
export interface FaultRules extends Faults {
  /**
   * Returns the fault for a request, if any. A delay can be combined with one other fault.
   * @param own the values of `x-mock-fault`
   * @throws Error if `own` contains an invalid fault, or two faults that are not delays
   */
  match(own: readonly string[], asked: Selection): FaultMatch;
  /**
   * Rejects wire faults from now on.
   * @param reason the adapter that cannot break connections @throws Error if a wire fault is pending
   */
  rejectWire(reason: string): void;
}

interface Entry {
  rule: FaultRule;
  applied: number;
  matched: number;
}

/**
 * @param checkKey throws an Error if no key has this name
 * @param isFrozen returns whether the mock started with a frozen clock that has not been resumed
 */
export const createFaults = (seed: number, checkKey: (name: string) => void, isFrozen: () => boolean): FaultRules => {
  let rules: Entry[] = [];
  let delays = 0;
  let wireless: string | undefined;

  const accept = (rule: FaultRule): FaultRule => {
    if (wireless && faultKinds[rule.kind].wire) {
      throw new Error(
        `the fault "${rule.kind}" breaks the connection, which ${wireless} cannot simulate; use listen()`,
      );
    }
    if (isFrozen() && (rule.kind === 'delay' || rule.kind === 'drip' || rule.response?.delayMs !== undefined))
      throw new Error(endless(`the fault "${rule.kind}"`));
    return rule;
  };
  const apply = (match: FaultMatch, fault: Fault): void => {
    const { kind, ms = 1000, response } = fault;
    const delayMs = kind === 'delay' ? ms : response?.delayMs;
    if (delayMs !== undefined) match.delayMs += drawMs(delayMs, fraction(seed, ++delays, 903));
    if (kind === 'delay') return;
    if (match.fault)
      throw new Error(`"${match.fault.kind}" and "${kind}" cannot be combined; only a delay can be added to a fault`);
    match.fault = { ...fault, headers: headersOf(fault) };
  };

  return {
    add(rule) {
      const checked = accept(typeof rule === 'string' ? parseFault(rule) : checkFault(rule as object as never));
      if (checked.key !== undefined) checkKey(checked.key);
      rules.push({ rule: checked, applied: 0, matched: 0 });
    },
    list: () => rules.map(({ rule, applied }) => ({ ...copyOf(rule), applied })),
    clear() {
      rules = [];
      delays = 0;
    },
    match(own, asked) {
      const match: FaultMatch = { delayMs: 0 };
      for (const fault of own.flatMap(faultsIn)) apply(match, accept(parseAsked(fault)));
      if (asked.operation === undefined) return match;
      rules = rules.filter((entry) => {
        const { kind, skip = 0, times = 1 } = entry.rule;
        if (kind !== 'delay' && match.fault) return true;
        if (!selects({ method: 'GET', ...entry.rule }, asked) || ++entry.matched <= skip) return true;
        apply(match, entry.rule);
        return ++entry.applied < (times === 'always' ? Number.POSITIVE_INFINITY : times);
      });
      return match;
    },
    rejectWire(reason) {
      wireless = reason;
      for (const { rule } of rules) accept(rule);
    },
  };
};

/** Copies a rule. A body that is a function can't be copied or changed. */
const copyOf = ({ response, ...rule }: FaultRule): FaultRule => ({
  ...structuredClone(rule),
  ...(response && { response: { ...response } }),
});

/** Explains why a delay is rejected under `frozenAt`. */
export const endless = (what: string): string =>
  `${what} would never end, since frozenAt stops the clock; remove frozenAt, or call clock.resume() first`;

/** Returns all headers that a fault sets. */
const headersOf = ({ retryAfter, headers, response }: Fault): Record<string, string> => ({
  ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  ...headers,
  ...response?.headers,
});

/** Splits the value of a header at the commas outside JSON: most clients join several headers of one name. */
const faultsIn = (value: string): string[] => {
  let depth = 0;
  const parted = value.replace(/"(?:\\.|[^"\\])*"|[{},]/g, (part) => {
    if (part === '{') depth++;
    if (part === '}') depth--;
    return part === ',' && depth === 0 ? '\n' : part;
  });
  return parted.split('\n');
};

/** Parses a fault in `x-mock-fault`. @throws Error if it has fields that select requests */
const parseAsked = (text: string): Fault => {
  const rule = parseFault(text);
  const target = targetFields.find((name) => rule[name] !== undefined);
  if (target)
    throw new Error(
      `${target} selects requests, but x-mock-fault applies only to the request that contains it; use faults.add or POST /__mock/faults instead`,
    );
  return rule;
};
