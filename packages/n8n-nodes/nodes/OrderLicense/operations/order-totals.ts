import { maskOrderSummary, type OrderSummary, statusReading, type Totals } from '@order-license/core/portable';
import type { IDataObject } from 'n8n-workflow';
import type { OutputForm } from '../../shared/output';

/**
 * Totals as output. Simplified: one item per group, in the order of the list, or one of zeros without orders, so that
 * the workflow goes on. Otherwise one item with all groups, the
 * orders that could not be read, and why orders may be missing.
 */
export const totalsItems = (totals: Totals, { simplify, licenseKeys }: OutputForm): IDataObject[] => {
  const { groups, unreadable } = licenseKeys === 'full' ? totals : protectTotals(totals);
  if (!simplify) return [{ ...totals, groups, unreadable } as unknown as IDataObject];
  const shown = groups.length > 0 ? groups : [withoutOrders];
  return shown.map(({ waehrung, status, zahlungsstatus, lieferstatus, count, sum, unreadable }) => ({
    currency: waehrung,
    status,
    statusInEnglish: statusReading(status) ?? null,
    paymentStatus: zahlungsstatus,
    deliveryStatus: lieferstatus,
    orders: count,
    grossTotal: sum,
    unreadableOrders: unreadable,
    complete: totals.complete,
  }));
};

const noGroup = { waehrung: null, status: null, zahlungsstatus: null, lieferstatus: null };
const withoutOrders = { ...noGroup, count: 0, sum: '0.00', unreadable: 0 };

/** Omits values in an undocumented format, which could contain anything. */
const protectTotals = ({ groups, unreadable }: Totals) => ({
  groups: groups.map(({ waehrung, status, zahlungsstatus, lieferstatus, ...sums }) => {
    const shown = maskOrderSummary({ waehrung, status, zahlungsstatus, lieferstatus } as OrderSummary);
    return { ...shown, ...sums };
  }),
  unreadable: unreadable.map(({ id, field }) => ({ id, field })),
});
