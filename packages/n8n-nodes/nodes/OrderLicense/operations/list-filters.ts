import { orderStatuses, type StatusFilter } from '@order-license/core/portable';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isTool } from '../../shared/license-keys';
import { statusOptions } from '../../shared/order-status';
import { type CreatedFilters, type CreatedRange, readCreatedRange } from './created-range';
import { inputError } from './operation';

/** The fields of the collection *Filters*. */
export const filterFields: INodeProperties[] = [
  {
    displayName: 'Created Before',
    name: 'createdBefore',
    type: 'dateTime',
    default: '',
    description: "Only orders created before this time. A time without a zone is in the workflow's time zone.",
  },
  {
    displayName: 'Created From',
    name: 'createdFrom',
    type: 'dateTime',
    default: '',
    description: "Only orders created at this time or later. A time without a zone is in the workflow's time zone.",
  },
  {
    displayName: 'Status',
    name: 'status',
    type: 'multiOptions',
    options: statusOptions,
    default: ['bezahlt'],
    description: 'Only orders with one of these statuses',
  },
];

export interface ListFilters extends CreatedRange {
  status: StatusFilter[] | undefined;
}

/**
 * The filters in the client's format.
 * @throws {NodeOperationError} for an invalid filter, so that no filter reads all orders by mistake
 */
export const readFilters = (context: IExecuteFunctions, item: number): ListFilters => {
  const filters: unknown = context.getNodeParameter('filters', item, {});
  if (typeof filters !== 'object' || filters === null || Array.isArray(filters)) {
    throw inputError(
      context,
      item,
      "'Filters' is not an object",
      'Set an object such as {{ { status: ["bezahlt"] } }}, or remove the expression to read all orders.',
    );
  }
  const unknown = Object.keys(filters).find((name) => filterFields.every((field) => field.name !== name));
  if (unknown !== undefined) {
    throw inputError(
      context,
      item,
      `'Filters' has no field ${JSON.stringify(unknown)}`,
      `Use ${filterFields.map(({ name }) => name).join(', ')}.`,
    );
  }
  return { status: readStatus(context, filters, item), ...readCreatedRange(context, filters as CreatedFilters, item) };
};

/** One or more statuses, as a list or a comma-separated string. A model leaves the filter blank for any status. */
const readStatus = (
  context: IExecuteFunctions,
  filters: { status?: unknown },
  item: number,
): StatusFilter[] | undefined => {
  if (!('status' in filters)) return undefined;
  const given = typeof filters.status === 'string' ? filters.status.split(',') : (filters.status ?? []);
  const wanted = [given].flat().map((status) => (typeof status === 'string' ? status.trim() : status));
  const isEmpty = wanted.every((status) => status === '');
  if (isEmpty && isTool(context)) return undefined;
  const known = orderStatuses.filter((status) => wanted.includes(status));
  if (!isEmpty && wanted.every((status) => known.some((one) => one === status))) return known;
  throw inputError(
    context,
    item,
    isEmpty ? "'Status' is empty" : "'Status' contains an unknown status",
    `Choose from ${orderStatuses.join(', ')}, or remove the filter to read orders of any status.`,
  );
};
