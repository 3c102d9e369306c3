import type {
  CallOptions,
  Client,
  LicenseCode,
  Order,
  OrderItem,
  OrderLicenseError,
} from '@order-license/core/portable';
import { isOrderLicenseError, isRateLimitError } from '@order-license/core/portable';
import { codesOf, positionsOf } from '../shared/output';
import type { Happening } from './happening';
import { isWanted, type Wanted } from './observe';
import type { Step } from './sweep';
import { mayHaveCodes, type Watch, type Watched } from './watch';

export interface DeliveriesOptions {
  client: Client;
  watch: Watch;
  wanted: Wanted;
  /** ms since 1970. */
  now(): number;
  options(): CallOptions;
  /** Told of an order that cannot be read; it is tried again later. */
  onUnreadable(id: string, error: Error): void;
}

/** An order whose codes are not all there is looked at again after an eighth of the time it has been waited for. */
const patience = 1 / 8;
const leastWaitSeconds = 60;

/** Reads the orders that may have new license codes, one request for each, the most urgent first. */
export const createDeliveries = ({ client, watch, wanted, now, options, onUnreadable }: DeliveriesOptions): Step => {
  const seconds = (): number => Math.floor(now() / 1000);

  /** 3: something changed; 2: codes are waited for; 1: the codes of an order that was there before are not known. */
  const urgency = (order: Watched): number => {
    if (!mayHaveCodes(order.s)) return 0;
    if (order.w !== undefined && order.w > seconds() && !order.u) return 0;
    if (!order.k) return 1;
    if (!isWanted(wanted, 'licenseCodesAvailable', order.s)) return 0;
    if (order.u) return 3;
    return order.w === undefined ? 0 : 2;
  };

  const nextCandidate = (): [string, Watched] | undefined => {
    let best: [string, Watched] | undefined;
    for (const entry of Object.entries(watch.orders)) {
      if (urgency(entry[1]) > (best ? urgency(best[1]) : 0)) best = entry;
    }
    return best;
  };

  const wait = (order: Watched): void => {
    const at = seconds();
    order.t ??= at;
    order.w = at + Math.max(leastWaitSeconds, Math.floor((at - order.t) * patience));
  };

  const takeCodes = (id: string, remembered: Watched, order: Order): Happening[] => {
    const before = remembered.k && new Set(remembered.k);
    const known = new Set(remembered.k);
    const happened: Happening[] = [];
    let missing = false;
    for (const position of positionsOf(order)) {
      const codes = codesOf(position);
      if (codes.length < Math.max(1, Number(position.menge) || 0)) missing = true;
      for (const [index, code] of codes.entries()) {
        const codeId = idOf(position, code, index);
        known.add(codeId);
        if (!before || before.has(codeId)) continue;
        const eventId = `license-code:${id}:${position.id}:${codeId}`;
        happened.push({ event: 'licenseCodesAvailable', eventId, order, position, code });
      }
    }
    remembered.k = [...known];
    delete remembered.u;
    if (missing) wait(remembered);
    else delete remembered.w;
    return happened;
  };

  return async () => {
    if (!wanted.events.includes('licenseCodesAvailable')) return undefined;
    const candidate = nextCandidate();
    if (!candidate) return undefined;
    const [id, remembered] = candidate;
    const order = await client.getOrder(id, options()).catch((error: unknown) => {
      if (isRateLimitError(error)) return Promise.reject(error);
      delete remembered.u;
      wait(remembered);
      if (!isUnreadable(error)) return Promise.reject(error);
      onUnreadable(id, error);
      return undefined;
    });
    return order ? takeCodes(id, remembered, order) : [];
  };
};

/** It would be so the next time too, and must not hold up the other orders. */
const isUnreadable = (error: unknown): error is OrderLicenseError =>
  isOrderLicenseError(error) && ['not_found', 'invalid_response', 'bad_request'].includes(error.code);

const idOf = (position: OrderItem, code: LicenseCode, index: number): number | string =>
  code.id ?? `${position.id}.${index}`;
