import type { OrderId, OrderLicenseError } from '@order-license/core/portable';
import { intervalOf, type RangeQuery } from '../read/range.ts';
import type { Gap, RangePart } from '../read/read-range.ts';

/** Maximum number of orders named because of an unreadable value. */
export const maxNamed = 20;

const reasons: Record<Gap, string> = {
  unsorted: 'The service does not sort its list by date, so orders may be missing.',
  undated: 'Orders with an unreadable date are left out; `undated` counts and lists them.',
  unseen: 'The service counts more orders than it returns.',
  ties: 'More orders were created in the same second than one response holds, so orders may be missing.',
  removed: 'Orders were removed from the list meanwhile, so it cannot be shown that all others were read.',
  unsearched: 'The search ended before it reached the interval: read the list by `page` instead.',
};

/** The part of a range that was listed. */
interface ListedPart extends Pick<RangePart, 'gaps' | 'continueBefore'> {
  undated: readonly { id: OrderId }[];
  interruption?: OrderLicenseError | undefined;
}

/** What a call covers of what was asked. */
interface Part {
  /** Unset for orders by ID. */
  range?: RangeQuery | undefined;
  part?: ListedPart | undefined;
  /** The error that ended the call before its budget was spent. */
  interruption?: OrderLicenseError | undefined;
  /** Requests sent. */
  requests?: number | undefined;
  /** Orders that could not be read. */
  failed?: readonly { id: OrderId; error: OrderLicenseError }[];
  /** Arguments for the rest. */
  next?: object | undefined;
}

/** What an answer begins with, so that a part looks like a part: how far it reaches, why, and how to continue. */
export const describePart = ({ range, part, interruption, requests, failed = [], next }: Part): object => {
  const { gaps = [], undated = [], continueBefore } = part ?? {};
  const stopped = interruption ?? part?.interruption;
  const advice = [
    ...gaps.map((gap) => reasons[gap]),
    ...(stopped ? [stopped.message] : []),
    ...(next ? ['This is a part: call again with the arguments in `continue`.'] : []),
  ];
  return {
    complete: gaps.length === 0 && failed.length === 0 && !next,
    ...(next && { continue: next }),
    ...(advice.length > 0 && { advice: advice.join(' ') }),
    ...(stopped && { interrupted_by: stopped.code, ...retryAfter(stopped) }),
    ...(range && { interval: intervalOf(range, continueBefore) }),
    ...(requests !== undefined && { requests }),
    ...(gaps.length > 0 && { gaps }),
    ...(undated.length > 0 && {
      undated: { count: undated.length, ids: undated.slice(0, maxNamed).map(({ id }) => id) },
    }),
    ...(failed.length > 0 && {
      failed: failed.map(({ id, error: { code, detail, advice } }) => ({ id, code, detail, advice })),
    }),
  };
};

/** When to call again, in whole seconds, if the error says so. */
const retryAfter = ({ retryAfterMs }: OrderLicenseError): object =>
  retryAfterMs === undefined ? {} : { retry_after_seconds: Math.ceil(retryAfterMs / 1000) };
