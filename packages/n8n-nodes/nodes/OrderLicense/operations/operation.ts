import type { Client, ErrorCode, OrderFinder } from '@order-license/core/portable';
import type { IDataObject, IDisplayOptions, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { checkChoice, checkSwitch } from '../../shared/check-parameter';
import { withDetails } from '../../shared/errors';
import { isTool, type LicenseKeys } from '../../shared/license-keys';
import type { ExecutionHints } from './execution-hints';

/** State shared by all input items of one run of the node. */
export interface Run {
  context: IExecuteFunctions;
  client: Client;
  hints: ExecutionHints;
  /** Finds orders by number, starting with what it read for earlier input items. */
  finder: OrderFinder;
}

/** Returns the output items for the input item of this index. */
export type Operation = (run: Run, item: number, licenseKeys: LicenseKeys) => Promise<INodeExecutionData[]>;

/** Shows a field for one operation on orders. */
export const whenOrder = (operation: string): IDisplayOptions & { show: object } => ({
  show: { resource: ['order'], operation: [operation] },
});

/** Whether an error becomes an item, the default for a model, since n8n's own conversion would omit the advice. */
export const continuesOnError = (context: IExecuteFunctions): boolean =>
  context.continueOnFail() || (isTool(context) && context.getNode().onError !== 'stopWorkflow');

/**
 * A boolean parameter.
 * @throws {NodeOperationError} for anything else, which an expression can return
 */
export const readSwitch = (
  context: IExecuteFunctions,
  name: string,
  label: string,
  item: number,
  fallback?: boolean,
): boolean => checkSwitch({ context, label, given: context.getNodeParameter(name, item, fallback), itemIndex: item });

/**
 * The parameter 'Output'.
 * @throws {NodeOperationError} for anything but one of `choices`
 */
export const readOutput = <Choice extends string>(
  context: IExecuteFunctions,
  choices: readonly Choice[],
  item: number,
): Choice =>
  checkChoice({ context, label: 'Output', given: context.getNodeParameter('output', item), itemIndex: item }, choices);

/** Output items that name the input item they came from. */
export const linked = (found: IDataObject[], item: number): INodeExecutionData[] =>
  found.map((json) => ({ json, pairedItem: { item } }));

/** The error for an invalid field: what is wrong, and what to do. */
export const inputError = (
  context: IExecuteFunctions,
  itemIndex: number,
  message: string,
  description: string,
  code: ErrorCode = 'bad_request',
): NodeOperationError =>
  withDetails(new NodeOperationError(context.getNode(), message, { description, itemIndex }), { code });
