import { type SettingName, settingDefinitions } from '../settings/settings.ts';

/** A line of the report. */
export interface Row {
  /** An open question (U), or a statement of the API docs (S). */
  id: string;
  /** The setting that decides the open question, or the statement. */
  about: SettingName | { statement: string };
  /** The names of the questions whose responses show it. */
  asks: RegExp;
  /** The forms that show it. */
  shows: RegExp;
  /**
   * Returns the values of the setting that the API may have, its default first. Absent: all.
   * @param api the forms of the API
   * @param mock the forms of the mock with the default
   */
  values?: Values | undefined;
}
type Values = (api: readonly string[], mock: readonly string[]) => string[];

const row = (id: string, about: Row['about'], asks: RegExp, shows: RegExp, values?: Values): Row => ({
  id,
  about,
  asks,
  shows,
  values,
});

const page1 = /^page1$/;
const filters = /^(ausstehend|bezahlt|abgeschlossen|storniert)$/;
const lists = /^(list|page1|ausstehend|bezahlt|abgeschlossen|storniert)$/;
const anyList = new RegExp(`${lists.source}|status=`);
const order = /^order$/;
const all = /./;
const knownPath = /^(?!GET .order-license-probe)/;
const fields = /^(me|list|page1|order)$/;
const page = /: (status|orders|no orders)/;
const status = /: status /;

/** Compares the default with the numbers in the forms. */
const numbersOr =
  (...standard: string[]): Values =>
  (api) => [...standard, ...api.flatMap((form) => /\d+$/.exec(form)?.[0] ?? [])];

/** Compares the paths that the API's forms begin with, if the mock doesn't have them. */
const paths: Values = (api, mock) => {
  const found = api.filter((form) => !mock.includes(form)).map((form) => form.split(':')[0]);
  return ['', found.join()];
};

const words = (name: 'zahlungsstatus' | 'lieferstatus') => () => [String(settingDefinitions[name].default), 'null'];
const seconds = [60, 30, 20, 15, 10, 5, 1, 90, 120, 300, 600, 900, 1800, 3600];

/**
 * All lines. Each is compared with a mock that has the settings found by the lines above it. A new value of a setting
 * needs no change here.
 */
export const rows: readonly Row[] = [
  row('S-45', { statement: 'orders come newest first' }, page1, /^sequence/),
  row('S-34', { statement: 'a filter lists only orders with its status' }, filters, /^filter/),
  row('S-12', { statement: 'every error body has a text `error`' }, knownPath, /^error/),
  row('S-08', { statement: 'an order of a different account is not found' }, /^(nobody|other)$/, status),
  row('U-31', 'httpsOnly', /^me$/, /: \dxx$/),
  row('U-02', 'perPageMax', page1, /^per_page/, numbersOr('50')),
  row('U-02', 'params', /per_page=(0|51)$/, page),
  row('U-01', 'params', /\?page=0$/, page),
  row('U-03', 'params', /\?page=(abc)?$/, page),
  row('U-04', 'unknownStatus', /status=/, page),
  row('U-05', 'pageBeyondLast', /^beyond$/, page),
  row('U-06', 'emptyPages', anyList, /^empty list/),
  row('U-63', 'sortDate', page1, /^sequence/),
  row('U-09', 'tieBreak', /^(page1|again)$/, /^same date/),
  row('U-11', 'totalIgnoresFilter', filters, /^total/),
  row('U-12', 'ineligibleCodes', order, /^unpaid order/),
  row('U-16 U-20', 'extraFields', order, /^more fields/),
  row('U-17', 'billing', order, /^order.billing/),
  row('U-18', 'zahlungsstatus', lists, /^orders.*zahlungsstatus/, words('zahlungsstatus')),
  row('U-19', 'lieferstatus', lists, /^orders.*lieferstatus/, words('lieferstatus')),
  row('U-22', 'money', lists, /^orders.*_brutto/),
  row('U-24', 'dates', lists, /^orders.*created_at/),
  row('U-25', 'ids', lists, /^orders.*\.id/),
  row('U-26', 'invalidId', /orders\/(abc|\{id\}abc|999)/, status),
  row('U-28', 'unknownPath', /\/order-license-probe$/, /: body/),
  row('U-32', 'accept', /text.html$/, /: body/),
  row('U-33', 'authScheme', /bearer/, status),
  row('U-40', 'rateHeaders', all, /^rate-limit headers/),
  row('U-44', 'looseStatus', /^(me|nobody)$/, /^status in the body/),
  row('U-45', 'contentType', /^(me|list)$/, /^content type/),
  row('U-46', 'emptyText', /^me$/, /^me.(company|vat_id)/),
  row('U-50', 'downloadUrls', order, /^license_codes.*download_url/),
  row('U-54', 'futureValues', /^(order|ausstehend)$/, /^(orders.*\]\.status|license.*code_typ)/),
  row('U-56', 'compress', page1, /^content coding/),
  row('U-59', 'missing', fields, /^[^ ]+: missing/, paths),
  // The words of these two fields, one of which can be null, have settings of their own.
  row('U-59', 'nulls', fields, /^(?!.*(zahlungs|liefer)status)[^ ]+: null/, paths),
  row('§2', { statement: 'every field has its documented type' }, fields, /^type of/),
  row('U-38', 'windowMs', all, /^stated window/, numbersOr('60000')),
  row('U-39', 'limit', all, /^(stated limit|accepted)/, numbersOr('60', 'off')),
  row('U-37', 'window', all, /^window/),
  row('U-38', 'windowMs', all, /^window/, () => seconds.map((one) => String(one * 1000))),
];
