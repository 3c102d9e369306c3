import type { Mock } from '@order-license/mock-api';

/** An order in the mock's state. */
export interface TrueOrder {
  id: number;
  status: string;
  currency: string;
  /** The creation time, ms since 1970. */
  createdAt: number;
  cents: bigint;
  isPaid: boolean;
}

/** Returns the orders from a range of days, newest first. Reads the mock's state, without using core. */
export const trueOrders = ({ state }: Mock, from: string, before: string): TrueOrder[] => {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${before}T00:00:00Z`)];
  return state
    .orders('business')
    .page(0, 200_000)
    .filter(({ createdAt }) => createdAt >= start && createdAt < end)
    .map(({ id, status, createdAt, list }) => ({
      id,
      status,
      currency: String(list.waehrung),
      createdAt,
      cents: BigInt(String(list.gesamtpreis_brutto).replace('.', '')),
      isPaid: (status === 'bezahlt' || status === 'abgeschlossen') && list.zahlungsstatus !== 'offen',
    }));
};

/** Returns decimal sums by currency. */
export const sumByCurrency = (orders: readonly TrueOrder[]): Record<string, string> => {
  const sums = new Map<string, bigint>();
  for (const order of orders) sums.set(order.currency, (sums.get(order.currency) ?? 0n) + order.cents);
  return Object.fromEntries([...sums].map(([key, cents]) => [key, decimal(cents)]));
};

const decimal = (cents: bigint): string => {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
