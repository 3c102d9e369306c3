import type { OrderInput } from '../orders/order-fields.ts';
import { readOrder } from '../orders/read-order.ts';
import type { StateStore } from '../orders/state.ts';
import { type Status, statuses } from '../orders/statuses.ts';
import { flag, oneOf, optional, type Reader, readFields, text, whole } from '../settings/check.ts';
import { copyOfJson } from '../settings/json.ts';

/** A change to the state while a client sends requests. */
export type Action =
  | { do: 'insertOrder'; account: string; order?: OrderInput | undefined }
  | { do: 'setStatus'; orderId: number; status: Status }
  | { do: 'deliverCodes'; orderId: number; count?: number | undefined }
  | { do: 'revokeKey'; key: string }
  /** Omitted fields stay unchanged; an empty string removes a value. */
  | { do: 'setBusiness'; account: string; company?: string | undefined; vat_id?: string | undefined };

/** An action that runs after the nth request with an active key, counted since the step was added. */
export type ScenarioStep = Action & {
  /** Number of the request that the action follows; 1 is the next request. */
  after: number;
  /** Whether to repeat every `after` requests. Default: `false`. */
  repeat?: boolean | undefined;
};

export interface Scenarios {
  /** Adds steps, all or none. @throws Error that lists what is allowed */
  script(steps: ScenarioStep[]): void;
  /** Returns copies of the pending steps, and of the failed ones with their errors. A failed step doesn't run again. */
  list(): (ScenarioStep & { error?: string })[];
  clear(): void;
}

/** The internal view of the scenarios. */
export interface ScenarioSteps extends Scenarios {
  /** Counts a request and runs the steps that are due. */
  answered(): void;
}

/** Returns the fields of each action. */
const fieldsOf = (state: StateStore): Record<Action['do'], Record<string, Reader<unknown>>> => {
  const account: Reader<string> = (_, value) => state.contents.account(value as string).account;
  const orderId: Reader<number> = (_, value) => state.order(value as number).id;
  const order: Reader<unknown> = (_, value) => {
    const { id } = readOrder(value, 'hand');
    if (id !== undefined && state.contents.find(id))
      throw new Error(`an order with the id ${id} already exists; choose a different id`);
    return value;
  };
  const key: Reader<string> = (_, value) => state.contents.keyNamed(value as string).name;
  return {
    insertOrder: { account, order: optional(order) },
    setStatus: { orderId, status: oneOf(statuses) },
    deliverCodes: { orderId, count: optional(whole(1)) },
    revokeKey: { key },
    setBusiness: { account, company: optional(text), vat_id: optional(text) },
  };
};

const act = (state: StateStore, step: Action): unknown => {
  switch (step.do) {
    case 'insertOrder':
      return state.insertOrder(step.account, step.order);
    case 'setStatus':
      return state.setStatus(step.orderId, step.status);
    case 'deliverCodes':
      return state.deliverCodes(step.orderId, step.count);
    case 'revokeKey':
      return state.revokeKey(step.key);
    case 'setBusiness':
      return state.setBusiness(step.account, { company: step.company, vat_id: step.vat_id });
  }
};

const stepFields = { do: text, after: whole(1), repeat: optional(flag) };

/** A step, and the number of the request after which it was added. */
interface Entry {
  step: ReturnType<Scenarios['list']>[number];
  since: number;
}

/** @param warn called for each step that fails, e.g. because its order no longer exists */
export const createScenarios = (state: StateStore, warn: (text: string) => void): ScenarioSteps => {
  const fields = fieldsOf(state);
  let steps: Entry[] = [];
  let requests = 0;

  /** @throws Error if the step can't run now */
  const read = (given: ScenarioStep): Entry => {
    const name = oneOf(Object.keys(fields) as Action['do'][])('do', given?.do);
    const readers = { ...stepFields, ...fields[name] };
    const step = readFields<ScenarioStep>(`the step ${name}`, copyOfJson(given), readers as never);
    if (step.do === 'setBusiness' && step.company === undefined && step.vat_id === undefined)
      throw new Error('setBusiness needs company, vat_id or both');
    return { step, since: requests };
  };
  /** @returns whether the step stays in the list */
  const run = ({ step }: Entry): boolean => {
    try {
      act(state, step);
      return step.repeat === true;
    } catch (error) {
      step.error = (error as Error).message;
      warn(`the scenario step ${step.do} failed: ${step.error}`);
      return true;
    }
  };

  return {
    script(added) {
      if (!Array.isArray(added))
        throw new Error('steps must be an array such as [{ "after": 1, "do": "insertOrder", "account": "business" }]');
      steps.push(...added.map(read));
    },
    list: () => copyOfJson(steps.map(({ step }) => step)),
    clear() {
      steps = [];
      requests = 0;
    },
    answered() {
      requests++;
      steps = steps.filter((entry) => {
        const { step, since } = entry;
        const isDue = step.error === undefined && (requests - since) % step.after === 0;
        return !isDue || run(entry);
      });
    },
  };
};
