import type { CallOptions, Client, Order, OrderLicenseError } from '@order-license/core/portable';
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

  /**
   * 4: something changed; 3 and 2: the codes of an order that was there before are not known, and until they are, all
   * count as before, so paid orders come first; 1: codes are waited for, which may never end.
   */
  const urgency = (order: Watched): number => {
    if (!mayHaveCodes(order.s)) return 0;
    if (isPutOff(order) && !order.u) return 0;
    if (!order.k) return order.s === 'bezahlt' ? 3 : 2;
    if (!isWanted(wanted, 'licenseCodesAvailable', order.s)) return 0;
    if (order.u) return 4;
    return order.w === undefined ? 0 : 1;
  };

  /** Seconds from one look to the next. */
  const pause = ({ t }: Watched): number =>
    Math.max(leastWaitSeconds, Math.floor((seconds() - (t ?? seconds())) * patience));

  /** A time further ahead than any pause was set while the clock was wrong. */
  const isPutOff = (order: Watched): boolean =>
    order.w !== undefined && order.w > seconds() && order.w <= seconds() + pause(order);

  const nextCandidate = (): [string, Watched] | undefined => {
    let best: [string, Watched] | undefined;
    for (const entry of Object.entries(watch.orders)) {
      if (urgency(entry[1]) > (best ? urgency(best[1]) : 0)) best = entry;
    }
    return best;
  };

  const wait = (order: Watched): void => {
    order.t = Math.min(order.t ?? seconds(), seconds());
    order.w = seconds() + pause(order);
  };

  const takeCodes = (id: string, remembered: Watched, order: Order): Happening[] => {
    const before = remembered.k && new Set(remembered.k.map(String));
    const known = new Set(before);
    const happened: Happening[] = [];
    let missing = false;
    for (const position of positionsOf(order)) {
      const codes = codesOf(position);
      if (codes.length < Math.max(1, Number(position.menge) || 0)) missing = true;
      for (const [index, code] of codes.entries()) {
        const codeId = String(code.id ?? `${position.id}.${index}`);
        const key = `${position.id}:${codeId}`;
        known.add(key);
        if (!before || before.has(key) || before.has(codeId)) continue;
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

/** It would be so the next time too, and must not hold up the other orders. 401 and 403 concern all of them. */
const isUnreadable = (error: unknown): error is OrderLicenseError =>
  isOrderLicenseError(error) &&
  error.status !== 401 &&
  error.status !== 403 &&
  ['not_found', 'invalid_response', 'bad_request'].includes(error.code);
