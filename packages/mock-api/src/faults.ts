import { checkFault, choosers, drawMs, type Fault, type FaultRule, faultKinds, parseFault } from './fault-spec.ts';
import { fraction } from './random.ts';

/** A request, as far as faults look at it. */
export interface FaultTarget {
  /** Below the base URL, with a leading slash. */
  path: string;
  keyName: string | undefined;
  /** The value of `x-mock-fault`. */
  asked: string | undefined;
  serial: number;
}

/** What strikes one request. */
export interface Strike {
  fault?: Fault;
  delayMs: number;
}

/** The faults that wait for their request. */
export interface Faults {
  /** Adds a rule, as an object or as text like `500` or `html;status=503`. @throws Error that says what is allowed */
  add(rule: FaultRule | string): void;
  /** The rules, with how often they struck. */
  list(): (FaultRule & { struck: number })[];
  clear(): void;
  /** Which fault strikes a request, if any. Delays add up with one other fault. @throws Error where `asked` is none */
  strike(target: FaultTarget): Strike;
  /**
   * From here on wire faults are refused.
   * @param reason who cannot break a wire @throws Error where a wire fault waits already
   */
  refuseWire(reason: string): void;
}

export function createFaults(seed: number): Faults {
  let rules: { rule: FaultRule; struck: number; met: number }[] = [];
  let wireless: string | undefined;

  const accept = (rule: FaultRule): FaultRule => {
    if (wireless && faultKinds[rule.kind].wire) {
      throw new Error(`the fault "${rule.kind}" breaks the wire, which ${wireless} cannot do; use listen()`);
    }
    return rule;
  };
  const draw = (fault: Fault, serial: number): number =>
    drawMs(fault.ms ?? 1000, fraction(seed, serial, 901), fraction(seed, serial, 902));

  return {
    add(rule) {
      const checked = typeof rule === 'string' ? parseFault(rule) : checkFault({ ...rule });
      rules.push({ rule: accept(checked), struck: 0, met: 0 });
    },
    list: () => rules.map(({ rule, struck }) => ({ ...rule, struck })),
    clear() {
      rules = [];
    },
    strike({ path, keyName, asked, serial }) {
      const strike: Strike = { delayMs: 0 };
      const hit = (fault: Fault): void => {
        if (fault.kind === 'delay') strike.delayMs += draw(fault, serial);
        else strike.fault = fault;
      };
      if (asked !== undefined) hit(accept(parseAsked(asked)));
      rules.forEach((entry, number) => {
        const { rule } = entry;
        if (rule.kind !== 'delay' && strike.fault) return;
        if (rule.path !== undefined && !path.startsWith(rule.path)) return;
        if (rule.key !== undefined && rule.key !== keyName) return;
        if (++entry.met <= (rule.skip ?? 0)) return;
        const times = rule.times ?? (rule.probability === undefined ? 1 : 0);
        if (times > 0 && entry.struck >= times) return;
        if (rule.probability !== undefined && fraction(seed, serial, number) >= rule.probability) return;
        entry.struck++;
        hit(rule);
      });
      return strike;
    },
    refuseWire(reason) {
      wireless = reason;
      for (const { rule } of rules) accept(rule);
    },
  };
}

/** A fault that a request asks for itself. @throws Error where it wants to choose among others */
function parseAsked(text: string): Fault {
  const rule = parseFault(text);
  const chooser = choosers.find((name) => rule[name] !== undefined);
  if (chooser)
    throw new Error(`${chooser} chooses among requests to come, and the header is about its own; add a fault`);
  return rule;
}
