import type { Json } from '../settings/json.ts';

/** The four order statuses (§3). */
export const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
export type Status = (typeof statuses)[number];

/** The values of `code_typ` (§2.6). */
export const codeTypes = ['retail', 'volumen', 'account', 'abo'] as const;
export type CodeType = (typeof codeTypes)[number];

/** The fields of an own or changed order, as given. */
export interface Given {
  /** Served in the list. */
  list: Json;
  /** Served in the detail. */
  detail: Json;
}

/** An order as it is stored: what lists are sorted and filtered by. Everything else is made up when it is read. */
export interface Order {
  /** Name of its account. */
  account: string;
  id: number;
  /** An own order can have any other. */
  status: Status;
  /** ms since 1970, whole seconds. */
  createdAt: number;
  /** Place among the seeded orders of its account, 0 for the newest; absent for an own order. */
  index?: number | undefined;
  /** Number of codes delivered so far, counted across the items in order. Default: all. */
  delivered?: number | undefined;
  /** All of an own order, or what was changed of a seeded one. */
  given?: Given | undefined;
}

/** Of an order without any. */
export const defaultStatus: Status = 'abgeschlossen';

/** Whether an order shows license codes: only if paid or completed (§3, §4.3.1). */
export const isEligible = (status: Status = defaultStatus): boolean =>
  status === 'bezahlt' || status === 'abgeschlossen';
