import { createHash } from 'node:crypto';
import { argumentError } from '@order-license/core/host';
import type { CsvForm } from './csv.ts';
import type { What } from './export-rows.ts';

/** The arguments of a call. A call that continues an export copies all of them from the previous result. */
export interface ExportArguments {
  what: What;
  csv?: CsvForm | undefined;
  product?: string | undefined;
  /** The number of the only order; undefined to export a range. */
  order_number?: string | undefined;
  /** The highest ID of the orders to export in the last second of the range. */
  continue_id?: string | undefined;
  /** The name of the unfinished file; undefined for a new one. */
  file?: string | undefined;
  /** The length of that file when the previous call ended, bytes. */
  bytes?: number | undefined;
  /** Whether earlier calls left gaps in the file. */
  incomplete?: boolean | undefined;
  /** A hash of the other arguments. */
  check?: string | undefined;
}

/** Returns the arguments that continue an export: those of this call, with these changes. */
export const continuing = (args: ExportArguments, changes: Partial<ExportArguments>): ExportArguments => {
  const next = { ...args, ...changes, check: undefined };
  return { ...next, check: hashOf(next) };
};

/** @throws `bad_request` if a call continues an export with other arguments than those in an earlier result */
export const checkContinuing = ({ check, ...args }: ExportArguments): void => {
  const isNew = args.file === undefined && args.continue_id === undefined && !args.incomplete;
  if (check === (isNew ? undefined : hashOf(args))) return;
  throw argumentError(
    'These are not the arguments in `continue` of an earlier result',
    'To continue an export, pass all of them unchanged; to start one, omit `file`, `bytes`, `continue_id`, `incomplete` and `check`.',
  );
};

const hashOf = (args: object): string =>
  createHash('sha256')
    .update(JSON.stringify(args, Object.keys(args).sort()))
    .digest('hex')
    .slice(0, 16);
