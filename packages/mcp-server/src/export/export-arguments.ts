import { createHash } from 'node:crypto';
import { argumentError } from '@order-license/core/host';
import { argumentsOf, type RangeQuery } from '../read/range.ts';
import type { CsvForm } from './csv.ts';
import type { What } from './export-rows.ts';

/** What a call exports. A call that continues an export has all of this from the result of the call before. */
export interface ExportRequest {
  what: What;
  csv: CsvForm;
  product: string | undefined;
  /** The number of the only order; undefined to export the range. */
  orderNumber: string | undefined;
  range: RangeQuery;
  /** The unfinished file, and its length when the call before ended; undefined for a new file. */
  file: { name: string; bytes: number } | undefined;
  /** Whether earlier calls left gaps in the file. */
  incomplete: boolean;
}

/** Returns the arguments that continue an export. */
export const continuing = ({ what, csv, product, orderNumber, range, file, incomplete }: ExportRequest) => {
  const args = {
    what,
    ...(orderNumber === undefined ? argumentsOf(range) : { order_number: orderNumber }),
    product,
    csv: csv === 'semicolon' ? csv : undefined,
    file: file?.name,
    bytes: file?.bytes,
    incomplete: incomplete || undefined,
  };
  return { ...args, check: createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 16) };
};

/** @throws `bad_request` if a call does not continue an export with the arguments that a result named */
export const checkContinuing = (request: ExportRequest, check: string | undefined): void => {
  const isNew = request.file === undefined && request.range.continueId === undefined && !request.incomplete;
  if (isNew ? check === undefined : check === continuing(request).check) return;
  throw argumentError(
    'These are not the arguments in `continue` of an earlier result',
    'To continue an export, pass all of them unchanged; to start one, omit `file`, `bytes`, `continue_id`, `incomplete` and `check`.',
  );
};
