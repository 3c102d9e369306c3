import { type OrderSeed, runningOf } from './seed.ts';

/** The order ids of all accounts, unique across accounts. */
export interface OrderIds {
  isTaken(id: number): boolean;
  /** Reserves the ID of an inserted order. @throws Error if another order has it */
  take(id: number): void;
  /** Reserves the IDs of an account's seeded orders. @throws Error if an inserted order has one of them */
  takeSeeded(source: OrderSeed): void;
}

export const createOrderIds = (): OrderIds => {
  const sources: OrderSeed[] = [];
  const inserted = new Set<number>();
  const refuse = (id: number): never => {
    throw new Error(`the id ${id} belongs to another order`);
  };
  const isTaken = (id: number): boolean => inserted.has(id) || sources.some((source) => isSeeded(source, id));
  return {
    isTaken,
    take(id) {
      if (isTaken(id)) refuse(id);
      inserted.add(id);
    },
    takeSeeded(source) {
      for (const id of inserted) if (isSeeded(source, id)) refuse(id);
      sources.push(source);
    },
  };
};

const isSeeded = (source: OrderSeed, id: number): boolean => {
  const running = runningOf(source, id);
  return running >= 0 && running < source.count;
};
