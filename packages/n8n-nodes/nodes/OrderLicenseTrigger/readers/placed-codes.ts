import type { Order } from '@order-license/core/portable';
import { codesOf, lineItemsOf } from '../../shared/output';
import { plainId } from '../plain-id';
import type { PlacedCode } from '../trigger-event';

/** License code IDs by position. */
export type KnownCodes = Map<string, Set<string>>;

export const addCodes = (known: KnownCodes, codes: readonly PlacedCode[]): KnownCodes => {
  for (const { positionId, codeId } of codes) known.set(positionId, (known.get(positionId) ?? new Set()).add(codeId));
  return known;
};

/** The license codes of an order, with IDs that can be saved; a second code with the same ID gets `<ID>.1`. */
export const placedCodes = (order: Order): PlacedCode[] => {
  const counts = new Map<string, number>();
  return lineItemsOf(order).flatMap((position, place) => {
    const positionId = position.id == null ? `at.${place}` : plainId(position.id);
    return codesOf(position).map((code) => {
      const id = code.id == null ? 'code' : plainId(code.id);
      const count = counts.get(`${positionId} ${id}`) ?? 0;
      counts.set(`${positionId} ${id}`, count + 1);
      return { position, positionId, code, codeId: count === 0 ? id : `${id}.${count}` };
    });
  });
};

/** Whether each position has as many codes as its quantity, which may be a string such as `2,00`. */
export const isComplete = (order: Order): boolean =>
  lineItemsOf(order).every(
    (position) => codesOf(position).length >= Math.max(1, Number.parseFloat(String(position.menge)) || 0),
  );
