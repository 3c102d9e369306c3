import type { Client, OrderFinder } from '@order-license/core/portable';
import type { IDataObject, IDisplayOptions, IExecuteFunctions } from 'n8n-workflow';
import type { NodeError } from '../../shared/errors';
import { isTool } from '../../shared/fields';
import type { LicenseKeys } from '../../shared/license-keys';
import type { ExecutionHints } from './execution-hints';

/** State shared by all input items of one run of the node. */
export interface Run {
  context: IExecuteFunctions;
  client: Client;
  hints: ExecutionHints;
  /** Finds orders by number, starting with what it read for earlier input items. */
  finder: OrderFinder;
}

/**
 * Yields the output for the input item of this index: for each output item a value, or the error of an order that
 * cannot be read. Values yielded before it throws are kept.
 */
export type Operation = (run: Run, item: number, licenseKeys: LicenseKeys) => AsyncIterable<IDataObject | NodeError>;

/** Shows a field for one operation on orders. */
export const whenOrder = (operation: string): IDisplayOptions & { show: object } => ({
  show: { resource: ['order'], operation: [operation] },
});

/**
 * Whether an error becomes an item. This is the default for a model, since n8n's own conversion would omit the advice.
 */
export const continuesOnError = (context: IExecuteFunctions): boolean =>
  context.continueOnFail() || (isTool(context) && context.getNode().onError !== 'stopWorkflow');
