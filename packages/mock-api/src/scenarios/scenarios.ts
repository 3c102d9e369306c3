import { type Status, statuses } from '../data/order.ts';
import type { OrderInput } from '../data/order-input.ts';
import { mix } from '../data/random.ts';
import { readOrder } from '../data/read-orders.ts';
import type { StateStore } from '../data/state.ts';
import { refuseUnknownFields } from '../validate/fields.ts';
import { oneOf, text, wholeNumber } from '../validate/values.ts';
import { changeList } from './list-changes.ts';

/** A change of the state while a client works. */
export type Action =
  | { do: 'insertOrder'; account: string; order?: OrderInput }
  | { do: 'setStatus'; orderId: number; status: Status }
  | { do: 'deliverCodes'; orderId: number; count?: number }
  | { do: 'revokeKey'; key: string }
  /** Omitted fields stay unchanged; an empty string removes a value. */
  | { do: 'setBusiness'; account: string; company?: string; vat_id?: string }
  /** Makes `changes` new orders or status changes, drawn from the seed. */
  | { do: 'changeList'; account: string; changes: number };

/** An action that runs after the nth request with an active key since the step was added. */
export type ScenarioStep = Action & {
  /** 1 is the next request. */
  after: number;
  /** Whether to repeat every `after` requests. Default: `false`. */
  repeat?: boolean;
};

/** The options of each scenario. All have defaults except `orderId`. */
export interface ScenarioOptions {
  /** Adds orders and changes their status after every request. Default: 1 change in the account `business`. */
  listChanges: { account?: string; changes?: number };
  /** Delivers `count` codes of an order after every request. Default: 1. */
  partialDelivery: { orderId: number; count?: number };
  /** Revokes a key after `requests` requests. Default: `business`, 3. */
  revocation: { key?: string; requests?: number };
  /** Removes company and VAT ID of an account after `requests` requests. Default: `business`, 3. */
  businessLost: { account?: string; requests?: number };
}
export type ScenarioName = keyof ScenarioOptions;

const makers: { [Name in ScenarioName]: (options: ScenarioOptions[Name]) => ScenarioStep } = {
  listChanges: ({ account = 'business', changes = 1 }) => ({
    do: 'changeList',
    account,
    changes,
    after: 1,
    repeat: true,
  }),
  partialDelivery: ({ orderId, count = 1 }) => ({ do: 'deliverCodes', orderId, count, after: 1, repeat: true }),
  revocation: ({ key = 'business', requests = 3 }) => ({ do: 'revokeKey', key, after: requests }),
  businessLost: ({ account = 'business', requests = 3 }) => {
    return { do: 'setBusiness', account, company: '', vat_id: '', after: requests };
  },
};
const optionNames: { [Name in ScenarioName]: (keyof ScenarioOptions[Name])[] } = {
  listChanges: ['account', 'changes'],
  partialDelivery: ['orderId', 'count'],
  revocation: ['key', 'requests'],
  businessLost: ['account', 'requests'],
};
export const scenarioNames = Object.keys(makers) as ScenarioName[];

/** The pending steps. */
export interface Scenarios {
  /** Adds the step of a scenario. @throws Error that lists what is allowed */
  start<Name extends ScenarioName>(name: Name, options?: ScenarioOptions[Name]): void;
  /** Adds your own steps, all or none. @throws Error that lists what is allowed */
  script(steps: ScenarioStep[]): void;
  /** Returns copies of the pending steps. */
  list(): ScenarioStep[];
  /** Removes all steps and sets the request count to 0, so that the same seed makes the same changes. */
  clear(): void;
}

/** The internal view of the scenarios. */
export interface ScenarioSteps extends Scenarios {
  /**
   * Counts an answered request and runs the steps that are due. A step whose order, key or account no longer exists
   * does nothing and is removed.
   */
  answered(): void;
}

const calls: Record<Action['do'], (state: StateStore, action: never, serial: number, now: number) => void> = {
  insertOrder: (state, { account, order }: Extract<Action, { do: 'insertOrder' }>) => state.insertOrder(account, order),
  setStatus: (state, { orderId, status }: Extract<Action, { do: 'setStatus' }>) => state.setStatus(orderId, status),
  deliverCodes: (state, { orderId, count }: Extract<Action, { do: 'deliverCodes' }>) =>
    state.deliverCodes(orderId, count),
  revokeKey: (state, { key }: Extract<Action, { do: 'revokeKey' }>) => state.revokeKey(key),
  setBusiness: (state, { account, company, vat_id }: Extract<Action, { do: 'setBusiness' }>) =>
    state.setBusiness(account, {
      ...(company === undefined ? {} : { company }),
      ...(vat_id === undefined ? {} : { vat_id }),
    }),
  changeList,
};
const fields: Record<Action['do'], readonly string[]> = {
  insertOrder: ['account', 'order'],
  setStatus: ['orderId', 'status'],
  deliverCodes: ['orderId', 'count'],
  revokeKey: ['key'],
  setBusiness: ['account', 'company', 'vat_id'],
  changeList: ['account', 'changes'],
};
const required: Record<Action['do'], readonly string[]> = {
  insertOrder: ['account'],
  setStatus: ['orderId', 'status'],
  deliverCodes: ['orderId'],
  revokeKey: ['key'],
  setBusiness: ['account'],
  changeList: ['account', 'changes'],
};

export const createScenarios = (state: StateStore, seed: number, now: () => number): ScenarioSteps => {
  let steps: { step: ScenarioStep; since: number }[] = [];
  let requests = 0;
  const add = (added: ScenarioStep[]): void => {
    for (const step of added) refuse(step, state);
    for (const step of added) steps.push({ step: structuredClone(step), since: requests });
  };
  return {
    start(name, options) {
      if (!Object.hasOwn(makers, name)) {
        throw new Error(`there is no scenario "${name}"; the scenarios are ${scenarioNames.join(', ')}`);
      }
      const given = options ?? ({} as ScenarioOptions[typeof name]);
      refuseUnknownFields(`the scenario ${name}`, given, optionNames[name]);
      add([makers[name](given)]);
    },
    script(added) {
      if (!Array.isArray(added))
        throw new Error('steps must be an array like [{ "after": 1, "do": "insertOrder", "account": "business" }]');
      add(added);
    },
    list: () => steps.map(({ step }) => structuredClone(step)),
    clear() {
      steps = [];
      requests = 0;
    },
    answered() {
      requests++;
      const waiting: typeof steps = [];
      for (const entry of steps) {
        const { step, since } = entry;
        const due = (requests - since) % step.after === 0;
        const possible = due && isPossible(step, state);
        if (possible) calls[step.do](state, step as never, mix(seed, requests, 0), now());
        if (!due || (possible && step.repeat)) waiting.push(entry);
      }
      steps = waiting;
    },
  };
};

const isPossible = (step: ScenarioStep, state: StateStore): boolean => {
  try {
    refuse(step, state);
    return true;
  } catch {
    return false;
  }
};

/** @throws Error if a step can't run now */
const refuse = (step: ScenarioStep, state: StateStore): void => {
  if (typeof step?.do !== 'string' || !Object.hasOwn(calls, step.do)) {
    throw new Error(`do must be one of ${Object.keys(calls).join(', ')}, not "${step?.do}"`);
  }
  refuseUnknownFields(`the step ${step.do}`, step, ['do', 'after', 'repeat', ...fields[step.do]]);
  for (const name of required[step.do]) {
    if (step[name as keyof ScenarioStep] === undefined) throw new Error(`${name} is missing`);
  }
  positive('after (in requests)', step.after);
  if (!['boolean', 'undefined'].includes(typeof step.repeat)) {
    throw new Error(`repeat must be true or false, not "${step.repeat}"`);
  }
  switch (step.do) {
    case 'insertOrder':
      state.account(step.account);
      checkFree(readOrder(step.order === undefined ? {} : step.order, 'hand').id, state);
      break;
    case 'setStatus':
      state.order(step.orderId);
      oneOf('status', step.status, statuses);
      break;
    case 'deliverCodes':
      state.order(step.orderId);
      if (step.count !== undefined) positive('count', step.count);
      break;
    case 'revokeKey':
      if (!state.keys().some((key) => key.name === step.key)) throw new Error(`there is no key named "${step.key}"`);
      break;
    case 'setBusiness': {
      const { account, company, vat_id } = step;
      state.account(account);
      if (company === undefined && vat_id === undefined) throw new Error('setBusiness needs company, vat_id or both');
      if (company !== undefined) text('company', company);
      if (vat_id !== undefined) text('vat_id', vat_id);
      break;
    }
    case 'changeList':
      state.account(step.account);
      positive('changes', step.changes, 1000);
  }
};

const checkFree = (id: number | undefined, state: StateStore): void => {
  if (id !== undefined && state.isOrder(id)) throw new Error(`an order with the id ${id} already exists`);
};

const positive = (name: string, value: unknown, max?: number): void => {
  wholeNumber(name, value, max, 1);
};
