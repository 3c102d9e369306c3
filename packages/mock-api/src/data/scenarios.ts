import { flag, oneOf, optional, type Reader, readFields, text, whole } from '../check.ts';
import { type Status, statuses } from './order.ts';
import type { OrderInput } from './order-input.ts';
import { readOrder } from './read-orders.ts';
import type { StateStore } from './state.ts';

/** A change of the state while a client works. */
export type Action =
  | { do: 'insertOrder'; account: string; order?: OrderInput }
  | { do: 'setStatus'; orderId: number; status: Status }
  | { do: 'deliverCodes'; orderId: number; count?: number }
  | { do: 'revokeKey'; key: string }
  /** Omitted fields stay unchanged; an empty string removes a value. */
  | { do: 'setBusiness'; account: string; company?: string; vat_id?: string };

/** An action that runs after the nth request with an active key since the step was added. */
export type ScenarioStep = Action & {
  /** 1 is the next request. */
  after: number;
  /** Whether to repeat every `after` requests. Default: `false`. */
  repeat?: boolean;
};

/** The pending steps. */
export interface Scenarios {
  /** Adds steps, all or none. @throws Error that lists what is allowed */
  script(steps: ScenarioStep[]): void;
  /** Returns copies of the pending steps. */
  list(): ScenarioStep[];
  clear(): void;
}

/** The internal view of the scenarios. */
export interface ScenarioSteps extends Scenarios {
  /**
   * Counts a request and runs the steps that are due. A step whose order, key or account no longer exists does nothing
   * and is removed.
   */
  answered(): void;
}

type Fields = Record<string, Reader<unknown>>;
/** The fields of any step. */
type Step = {
  account: string;
  order?: OrderInput;
  orderId: number;
  status: Status;
  count?: number;
  key: string;
  company?: string;
  vat_id?: string;
};

export const createScenarios = (state: StateStore): ScenarioSteps => {
  let steps: { step: ScenarioStep; since: number }[] = [];
  let requests = 0;

  const account: Reader<string> = (name, value) => state.account(text(name, value)).account;
  const orderId: Reader<number> = (_, value) => state.order(value as number).id;
  const key: Reader<string> = (name, value) => {
    if (state.keys().some((known) => known.name === value)) return text(name, value);
    throw new Error(`there is no key named "${value}"`);
  };
  const order: Reader<unknown> = (_, value) => {
    const { id } = readOrder(value as object, 'hand');
    if (id !== undefined && state.isOrder(id)) throw new Error(`an order with the id ${id} already exists`);
    return value;
  };
  const actions: Record<Action['do'], { fields: Fields; run: (step: Step) => unknown }> = {
    insertOrder: {
      fields: { account, order: optional(order) },
      run: (step) => state.insertOrder(step.account, step.order),
    },
    setStatus: {
      fields: { orderId, status: oneOf(statuses) },
      run: (step) => state.setStatus(step.orderId, step.status),
    },
    deliverCodes: {
      fields: { orderId, count: optional(whole(1)) },
      run: (step) => state.deliverCodes(step.orderId, step.count),
    },
    revokeKey: { fields: { key }, run: (step) => state.revokeKey(step.key) },
    setBusiness: {
      fields: { account, company: optional(text), vat_id: optional(text) },
      run: ({ company, vat_id, ...step }) =>
        state.setBusiness(step.account, {
          ...(company !== undefined && { company }),
          ...(vat_id !== undefined && { vat_id }),
        }),
    },
  };

  /** @throws Error if the step can't run now */
  const check = (step: ScenarioStep): void => {
    const name = oneOf(Object.keys(actions))('do', step?.do) as Action['do'];
    const common = { do: text, after: whole(1), repeat: optional(flag) };
    const read = readFields<Record<string, unknown>>(`the step ${name}`, step, { ...common, ...actions[name].fields });
    if (name === 'setBusiness' && read.company === undefined && read.vat_id === undefined)
      throw new Error('setBusiness needs company, vat_id or both');
  };
  const isPossible = (step: ScenarioStep): boolean => {
    try {
      check(step);
      return true;
    } catch {
      return false;
    }
  };

  return {
    script(added) {
      if (!Array.isArray(added))
        throw new Error('steps must be an array like [{ "after": 1, "do": "insertOrder", "account": "business" }]');
      for (const step of added) check(step);
      for (const step of added) steps.push({ step: structuredClone(step), since: requests });
    },
    list: () => steps.map(({ step }) => structuredClone(step)),
    clear() {
      steps = [];
      requests = 0;
    },
    answered() {
      requests++;
      steps = steps.filter(({ step, since }) => {
        if ((requests - since) % step.after !== 0) return true;
        if (!isPossible(step)) return false;
        actions[step.do].run(step as unknown as Step);
        return step.repeat === true;
      });
    },
  };
};
