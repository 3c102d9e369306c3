import { argumentError } from '@order-license/core/host';
import type { StatusFilter } from '@order-license/core/portable';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readField } from '../../shared/fields';
import { statusOptions } from '../../shared/order-status';
import { whenOrder } from './operation';

export const filtersField: INodeProperties = {
  displayName: 'Filters',
  name: 'filters',
  type: 'collection',
  placeholder: 'Add Filter',
  default: {},
  displayOptions: whenOrder('listOrders'),
  options: [
    {
      displayName: 'Created Before',
      name: 'createdBefore',
      type: 'dateTime',
      default: '',
      description:
        "Only orders created before this time. A time without a UTC offset, such as +01:00, is in the workflow's time zone.",
    },
    {
      displayName: 'Created From',
      name: 'createdFrom',
      type: 'dateTime',
      default: '',
      description:
        "Only orders created at this time or later. A time without a UTC offset, such as +01:00, is in the workflow's time zone.",
    },
    {
      displayName: 'Product',
      name: 'product',
      type: 'string',
      default: '',
      placeholder: 'e.g. Office',
      description:
        "Only orders with a product whose name contains this text, ignoring case. Sends one request per order that the other filters select: 500 orders take about 10 minutes. With 'One Item per Line Item' or 'One Item per License Code', the output contains only matching products. With 'Include Details', each order contains all its products. Cannot be combined with 'Totals'.",
    },
    {
      displayName: 'Status',
      name: 'status',
      type: 'multiOptions',
      options: statusOptions,
      default: [],
      description: 'Only orders with one of these statuses',
    },
  ],
};

/** The filters that the user has set. */
export interface ListFilters {
  createdFrom?: Date;
  createdBefore?: Date;
  status?: StatusFilter[];
  /** Part of a product name. */
  product?: string;
}

/**
 * Reads and checks the filters.
 * @throws `bad_request` for an invalid filter, because ignoring it would read too many orders
 */
export const readFilters = (context: IExecuteFunctions, item: number): ListFilters => {
  const filters = readField<ListFilters>(context, filtersField, item);
  const { createdFrom, createdBefore } = filters;
  if (createdFrom && createdBefore && createdFrom >= createdBefore) {
    const advice = "To read the orders of one day, set 'Created Before' to the next day.";
    throw argumentError("'Created From' is not before 'Created Before'", advice);
  }
  return filters;
};
