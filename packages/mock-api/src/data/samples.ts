import { type EdgeCaseName, edgeCases } from './edge-case-orders.ts';
import type { OrderStore } from './orders.ts';
import { orderNumber, seedOrder } from './seed.ts';
import type { StateStore } from './state.ts';

/** A seeded order for a test case. */
export interface Sample {
  id: number;
  bestellnummer: string;
  /** Description of the unchanged order. */
  about: string;
}

export type SampleName = EdgeCaseName | 'ofOtherAccount';

/** Samples by name. Reading a missing one throws an Error with the reason. */
export type Samples = Readonly<Record<SampleName, Sample>>;

interface Place {
  name: SampleName;
  about: string;
  account: string;
  /** 0 for the newest seeded order. */
  index: number;
}

/** The location of each sample. */
export const samplePlaces: readonly Place[] = [
  ...edgeCases.map((edgeCase, index) => ({ ...edgeCase, account: 'business', index })),
  {
    name: 'ofOtherAccount',
    about: 'Belongs to the account otherAccount: 404 with the key business.',
    account: 'otherAccount',
    index: 0,
  },
];

/** The samples of the state at the time of reading. */
export const createSamples = (state: StateStore): Samples => {
  const samples = {};
  for (const place of samplePlaces) {
    Object.defineProperty(samples, place.name, { enumerable: true, get: () => sampleAt(state, place) });
  }
  return samples as Samples;
};

/** All samples of the mock. */
export const samplesThere = (samples: Samples): Partial<Samples> => {
  const there: Record<string, Sample> = {};
  for (const { name } of samplePlaces) {
    try {
      there[name] = samples[name];
    } catch {
      // Missing, since there are too few seeded orders.
    }
  }
  return there;
};

const sampleAt = (state: StateStore, { name, about, account, index }: Place): Sample => {
  const store = state.orders(account);
  const { source } = store;
  const place = account === 'business' ? index : firstSeeded(store);
  const order = place === undefined || place >= source.count ? undefined : seedOrder(source, place);
  if (!order || !store.has(order.id)) {
    throw new Error(
      `there is no sample "${name}": the account "${account}" has ${source.count} seeded orders; start the mock with its default data, or with at least ${edgeCases.length} orders`,
    );
  }
  return { id: order.id, bestellnummer: orderNumber(order), about };
};

/** Own orders can have taken the ID of the newest one. */
const firstSeeded = (store: OrderStore): number | undefined =>
  store.entries().find(({ index }) => index !== undefined)?.index;
