import { type Given, oneOf, optional, whole } from '../settings/check.ts';
import { operationNames } from './request.ts';

export const selectionReaders = {
  /** `me`, `list` or `order`; absent for an unknown path. */
  operation: optional(oneOf(operationNames)),
  /** The page of the list; 1 for a request without `page`. */
  page: optional(whole(1)),
  /** The order's ID, whether or not the order exists. */
  id: optional(whole()),
};

/**
 * The operation, page, order, method and key of a request. In a fault or a journal filter, the given fields select the
 * requests that have the same values.
 */
export interface Selection extends Given<typeof selectionReaders> {
  method?: string | undefined;
  /** The name of the key that was sent, even if it is inactive or revoked. */
  key?: string | undefined;
}

/**
 * Rejects a selection that no request can match.
 * @param suffix follows the field's name in errors
 * @throws Error that names the field
 */
export const checkSelection = (selection: Selection, suffix = ''): void => {
  for (const [name, owner] of [
    ['page', 'list'],
    ['id', 'order'],
  ] as const) {
    const selected = selection.operation ?? (selection.page === undefined ? owner : 'list');
    if (selection[name] !== undefined && selected !== owner)
      throw new Error(`"${name}"${suffix} is valid only for the operation "${owner}", not for "${selected}"`);
  }
};

/** Whether a request matches every given field. */
export const selects = (selection: Selection, asked: Selection): boolean =>
  (['operation', 'page', 'id', 'method', 'key'] as const).every(
    (name) => selection[name] === undefined || selection[name] === asked[name],
  );
