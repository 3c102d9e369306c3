import { refuseUnknownFields } from './known-fields.ts';
import { type Status, statuses } from './order.ts';
import { draftOrder, type OrderDraft } from './order-draft.ts';
import { mix } from './random.ts';
import type { State } from './state.ts';

/** Something that happens to the state while a client works. */
export type Action =
  | { do: 'insertOrder'; account: string; order?: OrderDraft }
  | { do: 'setStatus'; orderId: number; status: Status }
  | { do: 'deliverCodes'; orderId: number; count?: number }
  | { do: 'revokeKey'; key: string }
  | { do: 'setBusiness'; account: string; company?: string; vatId?: string }
  /** `changes` new orders or changed statuses, chosen from the seed. */
  | { do: 'drift'; account: string; changes: number };

/** An action and its moment: right after the answer to the nth request of the API since the step was added. */
export type Step = Action & {
  /** 1 is the next request. */
  after: number;
  /** Every so many requests again. */
  repeat?: boolean;
};

/** Ready-made steps by name. Every option has a default. */
export interface ScenarioOptions {
  /** Orders appear and change status after every request. */
  drift: { account?: string; changes?: number };
  /** `count` codes of an order arrive after every request. */
  partialDelivery: { orderId: number; count?: number };
  /** A key is revoked after `requests` requests. */
  revocation: { key?: string; requests?: number };
  /** An account loses company and VAT ID after `requests` requests. */
  businessLost: { account?: string; requests?: number };
}
export type ScenarioName = keyof ScenarioOptions;

const makers: { [Name in ScenarioName]: (options: ScenarioOptions[Name]) => Step } = {
  drift: ({ account = 'business', changes = 1 }) => ({ do: 'drift', account, changes, after: 1, repeat: true }),
  partialDelivery: ({ orderId, count = 1 }) => ({ do: 'deliverCodes', orderId, count, after: 1, repeat: true }),
  revocation: ({ key = 'business', requests = 3 }) => ({ do: 'revokeKey', key, after: requests }),
  businessLost: ({ account = 'business', requests = 3 }) => {
    return { do: 'setBusiness', account, company: '', vatId: '', after: requests };
  },
};
const optionNames: { [Name in ScenarioName]: (keyof ScenarioOptions[Name])[] } = {
  drift: ['account', 'changes'],
  partialDelivery: ['orderId', 'count'],
  revocation: ['key', 'requests'],
  businessLost: ['account', 'requests'],
};
export const scenarioNames = Object.keys(makers) as ScenarioName[];

/** The steps that wait for their request. */
export interface Scenarios {
  start<Name extends ScenarioName>(name: Name, options?: ScenarioOptions[Name]): void;
  /** Adds steps of one's own. @throws Error with a sentence that says what is allowed */
  script(steps: Step[]): void;
  list(): Step[];
  clear(): void;
  /** Tells that a request has been answered. */
  answered(): void;
}

const calls: Record<Action['do'], (state: State, action: never, serial: number, now: number) => void> = {
  insertOrder: (state, { account, order }: Extract<Action, { do: 'insertOrder' }>) => state.insertOrder(account, order),
  setStatus: (state, { orderId, status }: Extract<Action, { do: 'setStatus' }>) => state.setStatus(orderId, status),
  deliverCodes: (state, { orderId, count }: Extract<Action, { do: 'deliverCodes' }>) =>
    state.deliverCodes(orderId, count),
  revokeKey: (state, { key }: Extract<Action, { do: 'revokeKey' }>) => state.revokeKey(key),
  setBusiness: (state, { account, ...registered }: Extract<Action, { do: 'setBusiness' }>) =>
    state.setBusiness(account, { company: registered.company ?? '', vatId: registered.vatId ?? '' }),
  drift,
};

export function createScenarios(state: State, seed: number, now: () => number): Scenarios {
  let steps: { step: Step; since: number }[] = [];
  let requests = 0;
  const add = (step: Step): void => {
    check(step, state);
    steps.push({ step, since: requests });
  };
  return {
    start(name, options) {
      if (!Object.hasOwn(makers, name)) {
        throw new Error(`there is no scenario "${name}"; the scenarios are ${scenarioNames.join(', ')}`);
      }
      const step = makers[name]((options ?? {}) as never);
      refuseUnknownFields(`the scenario ${name}`, options ?? {}, optionNames[name]);
      add(step);
    },
    script(added) {
      if (!Array.isArray(added))
        throw new Error('steps is a list like [{ "after": 1, "do": "insertOrder", "account": "business" }]');
      for (const step of added) add(step);
    },
    list: () => steps.map(({ step }) => step),
    clear() {
      steps = [];
    },
    answered() {
      requests++;
      for (const { step, since } of steps) {
        const passed = requests - since;
        const due = step.repeat ? passed % step.after === 0 : passed === step.after;
        if (due) calls[step.do](state, step as never, mix(seed, requests, 0), now());
      }
      steps = steps.filter(({ step, since }) => step.repeat || requests - since < step.after);
    },
  };
}

/** Refuses a step at once that would fail when its moment comes. */
function check(step: Step, state: State): void {
  if (typeof step !== 'object' || step === null || !Object.hasOwn(calls, step.do)) {
    throw new Error(`do is one of ${Object.keys(calls).join(', ')}, not "${step?.do}"`);
  }
  if (!Number.isInteger(step.after) || step.after < 1)
    throw new Error(`after is a whole number from 1 up, not "${step.after}"`);
  if ('account' in step) state.account(step.account);
  if (step.do === 'insertOrder') draftOrder(step.order ?? {}, 0, 0);
  if ('orderId' in step) state.order(step.orderId);
  if (step.do === 'setStatus' && !statuses.includes(step.status)) {
    throw new Error(`status is one of ${statuses.join(', ')}, not "${step.status}"`);
  }
  if (step.do === 'revokeKey' && !state.keys().some((key) => key.name === step.key)) {
    throw new Error(`there is no key named "${step.key}"`);
  }
  if (step.do === 'drift' && !(Number.isInteger(step.changes) && step.changes >= 1 && step.changes <= 1000)) {
    throw new Error(`changes is a whole number from 1 to 1000, not "${step.changes}"`);
  }
}

const next: Record<Status, readonly Status[]> = {
  ausstehend: ['bezahlt', 'storniert'],
  bezahlt: ['abgeschlossen', 'storniert'],
  abgeschlossen: [],
  storniert: [],
};

/** Each change moves an order on to its next status; where the order drawn has none, a new order comes in. */
function drift(
  state: State,
  { account, changes }: { account: string; changes: number },
  serial: number,
  now: number,
): void {
  const book = state.orders(account);
  for (let n = 0; n < changes; n++) {
    const dice = mix(serial, n, 1);
    const [order] = book.count() > 0 ? book.page(dice % book.count(), 1) : [];
    const moves = order ? next[order.status] : [];
    const status = moves[mix(serial, n, 2) % Math.max(1, moves.length)];
    if (order && status) state.setStatus(order.id, status);
    else {
      const newest = book.page(0, 1)[0]?.createdAt ?? 0;
      state.insertOrder(account, { status: 'ausstehend', createdAt: Math.max(now, newest), items: [{ quantity: 2 }] });
    }
  }
}
