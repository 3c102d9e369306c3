import type { Order } from '@order-license/core/portable';
import { codesOf, positionsOf } from '../../shared/output';
import { plainId } from '../plain-id';
import type { PlacedCode } from '../trigger-event';

/** By position, the IDs of license codes. */
export type KnownCodes = Map<string, Set<string>>;

export const addCodes = (known: KnownCodes, codes: readonly PlacedCode[]): KnownCodes => {
  for (const { positionId, codeId } of codes) known.set(positionId, (known.get(positionId) ?? new Set()).add(codeId));
  return known;
};

/** The license codes of an order, with IDs that can be saved. */
export const placedCodes = (order: Order): PlacedCode[] =>
  positionsOf(order).flatMap((position, place) =>
    codesOf(position).map((code, index) => {
      return {
        position,
        positionId: plainId(position.id ?? place),
        code,
        codeId: code.id == null ? `${plainId(position.id ?? place)}.${index}` : plainId(code.id),
      };
    }),
  );

/** Whether each position has as many codes as pieces. */
export const isComplete = (order: Order): boolean =>
  positionsOf(order).every((position) => codesOf(position).length >= Math.max(1, Number(position.menge) || 0));
