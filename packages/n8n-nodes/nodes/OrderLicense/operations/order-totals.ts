import { argumentError } from '@order-license/core/host';
import { marker } from '@order-license/core/masking';
import { maskOrderSummary, type OrderSummary, statusReading, type Totals } from '@order-license/core/portable';
import type { IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { adviceForModel } from '../../shared/as-tool';
import { timezoneOf } from '../../shared/date';
import type { OutputForm } from '../../shared/output';
import type { ListFilters } from './list-filters';
import type { Run } from './operation';

export const totalsOption = {
  name: 'Totals',
  value: 'totals',
  description:
    'One item per combination of currency, status, payment status and delivery status, with order count and exact sum',
};

type TotalsGroup = Totals['groups'][number];
type GroupBy = 'none' | 'day' | 'week' | 'month';

export const groupByField = (displayOptions: IDisplayOptions): INodeProperties => ({
  displayName: 'Group By',
  name: 'groupBy',
  type: 'options',
  default: 'none',
  displayOptions,
  options: [
    { name: 'Day', value: 'day' },
    { name: 'Month', value: 'month' },
    { name: 'None', value: 'none' },
    { name: 'Week', value: 'week', description: 'Starts on Monday' },
  ],
  description: "Adds up the orders of each day, week or month separately, in the workflow's time zone",
});

/**
 * Outputs totals. Simplified output has one item per group, in list order. If there are no orders, it has a single item
 * with zeros, so that the workflow continues. Raw output has one item with all groups, the orders that could not be
 * read, and why orders may be missing. Sends one request per 50 orders, and some more with filters.
 */
export async function* readTotals(
  { context, client, hints }: Run,
  { product, ...filters }: ListFilters,
  groupBy: GroupBy,
  { simplify, licenseKeys }: OutputForm,
): AsyncIterable<IDataObject> {
  if (product !== undefined) {
    const advice =
      "Remove the filter. For sums by product, use 'One Item per Line Item', which returns quantities and prices.";
    throw argumentError(
      "'Product' cannot be combined with 'Totals', because totals are computed without reading line items",
      adviceForModel({ name: 'product' }, context) ?? advice,
    );
  }
  const periods = groupBy === 'none' ? {} : { groupBy, timeZone: timezoneOf(context) };
  const signal = context.getExecutionCancelSignal();
  const totals = await client.totals({ ...filters, ...periods, signal });
  hints.addTotals(totals);
  const { groups, unreadable } = licenseKeys === 'full' ? totals : protectTotals(totals);
  if (!simplify) yield { ...totals, groups, unreadable } as unknown as IDataObject;
  else for (const group of groups.length > 0 ? groups : [withoutOrders]) yield simpleGroup(group, totals.complete);
}

const simpleGroup = (group: TotalsGroup, complete: boolean): IDataObject => ({
  ...(group.period !== undefined && { period: group.period }),
  currency: group.waehrung,
  orders: group.count,
  grossTotal: group.sum,
  status: group.status,
  statusInEnglish: statusReading(group.status) ?? null,
  paymentStatus: group.zahlungsstatus,
  deliveryStatus: group.lieferstatus,
  unreadableOrders: group.unreadable,
  complete,
});

const noValues = { waehrung: null, status: null, zahlungsstatus: null, lieferstatus: null };
const withoutOrders: TotalsGroup = { ...noValues, count: 0, sum: '0.00', unreadable: 0 };

/** A payment or delivery status that is not text. `groups` contains its JSON. */
const notText = /^([[{].*|-?[\d.e+]+|true|false)$/s;

/** Omits values in an undocumented format, which could contain anything. */
const protectTotals = ({ groups, unreadable }: Totals) => {
  const shownState = (state: string | null): string | null => (notText.test(state ?? '') ? marker : state);
  return {
    groups: groups.map(({ waehrung, status, zahlungsstatus, lieferstatus, ...sums }) => {
      const states = { zahlungsstatus: shownState(zahlungsstatus), lieferstatus: shownState(lieferstatus) };
      const shown = maskOrderSummary({ waehrung, status, ...states } as OrderSummary);
      return { ...noValues, ...shown, ...sums };
    }),
    unreadable: unreadable.map(({ id, field }) => ({ id, field })),
  };
};
