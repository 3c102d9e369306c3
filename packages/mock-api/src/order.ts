import type { CodeType } from './catalogue.ts';

/** The four order statuses (§3). */
export const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
export type Status = (typeof statuses)[number];

/** One position of an order, before a dialect gives it its shape on the wire. */
export interface Line {
  id: number;
  productName: string;
  quantity: number;
  /** Gross price of one, in cents. */
  cents: bigint;
  codeType: CodeType | undefined;
  downloads: 'both' | 'only64' | 'only32' | 'none' | 'all';
  /** How many codes the line gets once all of them are delivered. */
  codeCount: number;
  /** Allowed activations of each code. */
  activations: number;
}

/** An order of the service. License keys are not part of it: they are computed when an answer needs them. */
export interface Order {
  id: number;
  number: string;
  status: Status;
  currency: string;
  /** ms since 1970, whole seconds. */
  createdAt: number;
  lines: readonly Line[];
  /** How many of its codes have been delivered, over all lines in their order. */
  delivered: number;
  /** Delivered before it is paid, so `zahlungsstatus` is open although the order is completed. */
  onInvoice: boolean;
}

/** Codes exist only for paid and completed orders (§3, §4.3.1). Every code of every answer passes this gate. */
export function isEligible(status: Status): boolean {
  return status === 'bezahlt' || status === 'abgeschlossen';
}

/** Number of codes that the order holds when all of them are delivered. */
export function plannedCodes(order: Order): number {
  let count = 0;
  for (const line of order.lines) count += line.codeCount;
  return count;
}

/** Sum over the lines, in cents. */
export function totalCents(order: Order): bigint {
  let sum = 0n;
  for (const line of order.lines) sum += line.cents * BigInt(line.quantity);
  return sum;
}
