import type { Client, OrderFinder } from '@order-license/core/portable';
import type { IDataObject, IDisplayOptions, IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../../shared/as-tool';
import type { NodeError } from '../../shared/errors';
import type { LicenseKeys } from '../../shared/license-keys';
import type { ExecutionHints } from './execution-hints';

/** State shared by all input items of one run of the node. */
export interface Run {
  context: IExecuteFunctions;
  client: Client;
  hints: ExecutionHints;
  /** Finds orders by number, and reuses the pages that it read for earlier input items. */
  finder: OrderFinder;
}

/**
 * Yields the output for the input item with this index: one value per output item, or an error for an order that cannot
 * be read. Values yielded before an exception are kept.
 */
export type Operation = (run: Run, item: number, licenseKeys: LicenseKeys) => AsyncIterable<IDataObject | NodeError>;

/** Returns the display options of a field that is shown only for one operation on orders. */
export const whenOrder = (operation: string): IDisplayOptions & { show: object } => ({
  show: { resource: ['order'], operation: [operation] },
});

/**
 * Whether the node outputs an error as an item. A tool does so by default, because n8n's own conversion of errors would
 * omit the advice.
 */
export const continuesOnError = (context: IExecuteFunctions): boolean =>
  context.continueOnFail() || (isTool(context) && context.getNode().onError !== 'stopWorkflow');
