import { refuseUnknownFields } from '../../validate/fields.ts';
import { objectValue, oneOf, shown, text, textOrNull, wholeNumber } from '../../validate/values.ts';
import { amountOf, money } from '../money.ts';
import type { ExtraFields, GivenCode, Line } from '../order.ts';
import { type CodeType, codeTypes, products } from '../products.ts';
import { lineOf } from '../seed.ts';

/** An item of an order to insert, with the field names of the API (§2.5). */
export interface ItemInput {
  /** Default: derived from the order's ID. */
  id?: number;
  product_name?: string;
  /** Default: 1. */
  menge?: number;
  /** Gross unit price, such as `12.34`. */
  einzelpreis_brutto?: string;
  /**
   * The codes, or how many to generate. Default: one per unit, or one for all units of `volumen`. Returned once the
   * order is paid or completed; in other orders, an empty list or `null` means the default number. `null` is returned
   * as `null` until there are codes.
   */
  license_codes?: CodeInput[] | number | null;
  /** Type of generated codes; `null` for goods without license codes. Default: `retail`. */
  code_typ?: CodeType | null;
  /** Activations of generated codes. Default: 1; with `volumen`, the quantity. */
  aktivierungen_bestellung?: number;
  /** Download URLs of generated codes; `all` cycles through every combination. */
  downloads?: Line['downloads'];
  /** Fields not in the API docs. */
  extraFields?: ExtraFields;
}

/** A license code (§2.6). Omitted fields are computed. */
export interface CodeInput {
  id?: number;
  license_key?: string;
  code_typ?: CodeType;
  download_url_64?: string | null;
  download_url_32?: string | null;
  aktivierungen_bestellung?: number;
  /** Fields not in the API docs. */
  extraFields?: ExtraFields;
}

export const itemFields: readonly (keyof ItemInput)[] = [
  ...(['id', 'product_name', 'menge', 'einzelpreis_brutto', 'license_codes', 'code_typ'] as const),
  ...(['aktivierungen_bestellung', 'downloads', 'extraFields'] as const),
];
export const codeFields: readonly (keyof CodeInput)[] = [
  ...(['id', 'license_key', 'code_typ', 'download_url_64', 'download_url_32'] as const),
  ...(['aktivierungen_bestellung', 'extraFields'] as const),
];
const downloadKinds = ['both', 'only64', 'only32', 'none', 'all'] as const;

/**
 * Parses an item.
 * @param at path of the item, for errors
 * @param id used if the input has no ID
 * @param eligible whether an empty list of codes means no codes
 * @throws Error that names the invalid field
 */
export const lineFromInput = (at: string, item: ItemInput, id: number, eligible: boolean): Line => {
  refuseUnknownFields(at, item, itemFields);
  const { menge = 1, license_codes: codes, product_name, einzelpreis_brutto, downloads, extraFields } = item;
  const { aktivierungen_bestellung: activations, code_typ = firstType(codes) ?? 'retail' } = item;
  if (code_typ !== null && !codeTypes.includes(code_typ)) {
    throw new Error(`${at}.code_typ must be one of ${codeTypes.join(', ')} or null, not ${shown(code_typ)}`);
  }
  const product = { ...products[0], codeType: code_typ ?? undefined };
  const own = item.id === undefined ? id : wholeNumber(`${at}.id`, item.id, Number.MAX_SAFE_INTEGER, 1);
  const line = lineOf(product, own, wholeNumber(`${at}.menge`, menge));
  if (product_name !== undefined) line.productName = text(`${at}.product_name`, product_name);
  if (einzelpreis_brutto !== undefined) line.cents = amountOf(`${at}.einzelpreis_brutto`, einzelpreis_brutto);
  if (activations !== undefined) line.activations = wholeNumber(`${at}.aktivierungen_bestellung`, activations);
  if (downloads !== undefined) line.downloads = oneOf(`${at}.downloads`, downloads, downloadKinds);
  if (extraFields !== undefined) line.extraFields = objectValue(`${at}.extraFields`, extraFields);
  if (codes === null) line.extraFields = { ...line.extraFields, license_codes: null };
  if (codes === null || Array.isArray(codes)) {
    const given = codes ?? [];
    if (given.length === 0 && !eligible) return line;
    line.codes = given.map((code, n) => codeFromInput(`${at}.license_codes[${n}]`, code));
    line.codeCount = given.length;
  } else if (codes !== undefined) {
    line.codeCount = wholeNumber(`${at}.license_codes must be an array, or a number of codes:`, codes);
  }
  return line;
};

const firstType = (codes: ItemInput['license_codes']): CodeType | undefined =>
  Array.isArray(codes) ? codeTypes.find((type) => type === codes[0]?.code_typ) : undefined;

const codeFromInput = (at: string, input: CodeInput): GivenCode => {
  refuseUnknownFields(at, input, codeFields);
  const { id, license_key, code_typ, download_url_64, download_url_32, extraFields } = input;
  const { aktivierungen_bestellung: activations } = input;
  const code: GivenCode = {};
  if (id !== undefined) code.id = wholeNumber(`${at}.id`, id, Number.MAX_SAFE_INTEGER, 1);
  if (license_key !== undefined) code.licenseKey = text(`${at}.license_key`, license_key);
  if (code_typ !== undefined) code.codeType = oneOf(`${at}.code_typ`, code_typ, codeTypes);
  if (download_url_64 !== undefined) code.download64 = textOrNull(`${at}.download_url_64`, download_url_64);
  if (download_url_32 !== undefined) code.download32 = textOrNull(`${at}.download_url_32`, download_url_32);
  if (activations !== undefined) {
    code.activations = wholeNumber(`${at}.aktivierungen_bestellung`, activations, undefined, Number.MIN_SAFE_INTEGER);
  }
  if (extraFields !== undefined) code.extraFields = objectValue(`${at}.extraFields`, extraFields);
  return code;
};

/** Converts a line back to its input. */
export const inputOfLine = (line: Line): ItemInput => {
  const { id, productName, quantity, cents, codeType, codeCount, activations, downloads, codes, extraFields } = line;
  return {
    id,
    product_name: productName,
    menge: quantity,
    einzelpreis_brutto: money(cents, 'string') as string,
    license_codes: codes && codes.length > 0 ? codes.map(inputOfCode) : codeCount,
    code_typ: codeType ?? null,
    aktivierungen_bestellung: activations,
    downloads,
    ...(extraFields && { extraFields }),
  };
};

const inputOfCode = ({ id, licenseKey, codeType, download64, download32, activations, extraFields }: GivenCode) => ({
  ...(id !== undefined && { id }),
  ...(licenseKey !== undefined && { license_key: licenseKey }),
  ...(codeType !== undefined && { code_typ: codeType }),
  ...(download64 !== undefined && { download_url_64: download64 }),
  ...(download32 !== undefined && { download_url_32: download32 }),
  ...(activations !== undefined && { aktivierungen_bestellung: activations }),
  ...(extraFields && { extraFields }),
});
