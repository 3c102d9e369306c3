import { codeTypes, statuses } from '../orders/statuses.ts';
import { type SettingName, type Settings, settingDefinitions } from '../settings/settings.ts';

/** The form of the facts, as JSON, under each value of a setting; and their names, if not the setting's. */
export type Row<Value extends string = string> = readonly [forms: Readonly<Record<Value, RegExp>>, ...places: string[]];

const oneOf = (words: readonly string[]): RegExp => new RegExp(`^"(${words.join('|')})"$`, 'i');
const wordsOf = (name: 'zahlungsstatus' | 'lieferstatus'): Row => {
  const words = settingDefinitions[name].default;
  return [{ [String(words)]: oneOf(words), unknown: /^".+"$/, null: /^null$/ }, `orders[].${name}`];
};

/**
 * How to recognize the value of a setting in the facts. A missing field is `absent`. About settings, a report contains
 * only the values in this table, numbers in the range of a setting, and paths of documented fields.
 */
export const table: { readonly [Name in SettingName]?: Row<Settings[Name] extends string ? Settings[Name] : string> } =
  {
    params: [
      {
        reject: /: 400/,
        clamp: /\?page=\w*: 200 orders|per_page=0.* 1 per page|per_page=51.* 50 per page/,
        default: /\?page=\w*: 200 orders|per_page=0.* (20|50) per page|per_page=51.* 20 per page/,
      },
    ],
    unknownStatus: [{ reject: /: 400/, ignore: /: 200 orders/, empty: /: 200 no orders/ }],
    pageBeyondLast: [{ empty: /: 200 no orders/, clamp: /: 200 orders/, '400': /: 400/, '404': /: 404/ }],
    emptyPages: [{ '0': /^"0"$/, '1': /^"1"$/ }],
    tieBreak: [{ idDesc: /descending/, idAsc: /ascending/, shuffle: /./ }],
    totalIgnoresFilter: [{ off: /off/, on: /on/ }],
    ineligibleCodes: [{ empty: /^\[\]$/, absent: /^absent$/, null: /^null$/ }],
    extraFields: [{ none: /none/, summary: /none|summary/, unknown: /none|unknown/ }],
    billing: [
      {
        german: /"(strasse|plz|ort)":/,
        sample: /^\{"/,
        emptyObject: /^\{\}$/,
        emptyArray: /^\[\]$/,
        null: /^null$/,
      },
      'order.billing_address',
    ],
    zahlungsstatus: wordsOf('zahlungsstatus'),
    lieferstatus: wordsOf('lieferstatus'),
    money: [
      {
        string: /^"\d+\.\d\d"$/,
        number: /^-?\d+(\.\d+)?$/,
        oneDigit: /^"\d+\.\d[1-9]?"$/,
        integer: /^"\d+(\.(?!00)\d\d)?"$/,
        comma: /^"\d+,\d\d"$/,
        dotComma: /^"\d{1,3}(\.\d{3})*,\d\d"$/,
        negative: /^"-\d+\.\d\d"$/,
        null: /^null$/,
      },
      'orders[].gesamtpreis_brutto',
      'order.gesamtpreis_brutto',
      'items[].einzelpreis_brutto',
    ],
    dates: [
      {
        ok: /^"[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d"$/,
        zero: /^"0000-00-00 /,
        null: /^null$/,
        iso: /^"[1-9]\d{3}-\d\d-\d\dT/,
      },
      'orders[].created_at',
    ],
    ids: [
      { safe: /^[1-9]\d{0,14}$/, big: /^[1-9]\d{15,}$/, string: /^"\d+"$/, negative: /^-\d+$/ },
      'orders[].id',
      'order.id',
    ],
    invalidId: [
      {
        '400': /abc: 400|9: 404/,
        '404': /abc: 404|9: 404/,
        coerce: /\/abc: 404|\}abc: 200|9: 404/,
      },
    ],
    unknownPath: [{ json: /: 404 JSON/, html: /: 404 HTML/ }],
    httpsOnly: [{ off: /200/, redirect: /https:/, reject: /403/ }],
    accept: [{ ignore: /: 200 JSON/, '406': /: 406/, html: /: 200 HTML/ }],
    authScheme: [{ insensitive: /: 200/, exact: /: 401/ }],
    rateHeaders: [{ none: /^"none"$/, x: /^"x"$/, draft: /^"draft"$/, retryAfter: /^"\d+"$/, retryAfterDate: /GMT/ }],
    looseStatus: [{ integer: /^\d+$/, string: /^"\d+"$/, missing: /^absent$/ }],
    contentType: [
      { utf8: /^"application\/json; ?charset=utf-8"$/i, bare: /^"application\/json"$/i, html: /^"text\/html/i },
    ],
    emptyText: [{ empty: /^""$/, null: /^null$/, absent: /^absent$/ }],
    downloadUrls: [
      {
        https: /^"https:[^?]+"$/i,
        relative: /^"\/[^/]/,
        http: /^"http:[^?]+"$/i,
        expiring: /^"https?:.*\?/i,
        empty: /^""$/,
      },
      'license_codes[].download_url_64',
      'license_codes[].download_url_32',
    ],
    futureValues: [
      { off: oneOf([...statuses, ...codeTypes]), on: /^".+"$/ },
      'orders[].status',
      'order.status',
      'license_codes[].code_typ',
    ],
    compress: [{ off: /^absent$/, gzip: /^"gzip"$/i, br: /^"br"$/i }],
    sortDate: [{ created: /newest/, other: /another/ }, 'S-45'],
  };

/** Statements of the API docs, and the facts that confirm them. None of these facts quotes the API. */
export const statements: readonly (readonly [id: string, text: string, holds: RegExp])[] = [
  ['S-45', 'orders come newest first', /newest/],
  ['S-34', 'a filter lists only orders with its status', /this/],
  ['S-19', 'a documented status is written in lower case', /lower/],
  ['S-12', 'every error body has a text `error`', /error: string/],
  ['§2', 'every field has its documented type', /^documented$/],
  ['S-08', 'an order of a different account, like one that does not exist, is not found', /: 404$/],
];
