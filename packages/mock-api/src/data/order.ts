import type { Json } from '../settings/json.ts';

/** The four order statuses (§3). */
export const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
export type Status = (typeof statuses)[number];

/** The values of `code_typ` (§2.6). */
export const codeTypes = ['retail', 'volumen', 'account', 'abo'] as const;
export type CodeType = (typeof codeTypes)[number];

/** The fields of a given or changed order, exactly as passed. */
export interface Given {
  /** Served in the list. */
  list: Json;
  /** Served in the detail. */
  detail: Json;
}

/** A stored order: only what lists sort and filter by. Everything else is generated when the order is read. */
export interface Order {
  /** Name of the account that the order belongs to. */
  account: string;
  id: number;
  /** At run time, a given order can have any other status text. */
  status: Status;
  /** ms since 1970, whole seconds. */
  createdAt: number;
  /** The order's position among the seeded orders of its account, 0 for the newest; absent for a given order. */
  index?: number | undefined;
  /**
   * Number of codes delivered so far. An item receives codes only after all items before it have theirs. Default: all.
   */
  delivered?: number | undefined;
  /** All fields of a given order, or the changed fields of a seeded one. */
  given?: Given | undefined;
}

/** The status of an order that is given without one. */
export const defaultStatus: Status = 'abgeschlossen';

/** Whether an order shows license codes: only if paid or completed (§3, §4.3.1). */
export const isEligible = (status: Status = defaultStatus): boolean =>
  status === 'bezahlt' || status === 'abgeschlossen';
