import type { CodeType, Status } from './order.ts';

/** The download URLs of an item's codes; `all` cycles through every combination. */
export const downloadKinds = ['both', 'only64', 'only32', 'none', 'all'] as const;

/** A documented word, or any other text, which is served unchanged. */
type Word<Known extends string> = Known | (string & {}) | null;
type Amount = string | number | null;

/**
 * An order of your own, with the API's field names (§2.2, §2.4). Everything is served as given, including undocumented
 * fields; only `id`, `status` and `created_at` are interpreted. Missing fields are generated.
 */
export interface OrderInput {
  /** 1 to 2^53 - 1, or a string of digits. Default: the next free ID. */
  id?: number | string | undefined;
  /** Default: derived from ID and date. */
  bestellnummer?: string | null | undefined;
  /** Determines how the order is filtered, and whether it has license codes. Default: `abgeschlossen`. */
  status?: Word<Status> | undefined;
  /** Default: depends on the settings. */
  zahlungsstatus?: string | null | undefined;
  /** Default: depends on the settings. */
  lieferstatus?: string | null | undefined;
  /** E.g. `12.34`. Default: the sum of the items. */
  gesamtpreis_brutto?: Amount | undefined;
  /** Default: `EUR`. */
  waehrung?: string | null | undefined;
  /**
   * `YYYY-MM-DD HH:MM:SS` in UTC, ISO 8601, or a day. Default: the mock's current time. An order with `null`, an empty
   * text or `0000-00-00 00:00:00` is also sorted by the current time.
   */
  created_at?: string | null | undefined;
  /** Default: one item at the order's price. */
  items?: ItemInput[] | null | undefined;
  /** Default: the account's address. */
  billing_address?: object | null | undefined;
  /**
   * Number of codes delivered so far. An item receives codes only after all items before it have theirs. Not part of
   * responses. Default: all.
   */
  delivered?: number | undefined;
}

/** An item (§2.5). Its last three fields describe how missing codes are generated, and are not part of responses. */
export interface ItemInput {
  id?: number | string | undefined;
  product_name?: string | null | undefined;
  menge?: number | string | null | undefined;
  einzelpreis_brutto?: Amount | undefined;
  /**
   * The codes, or the number of codes to generate. Default: one per unit, or one for all units if the type is
   * `volumen`. The codes are served once the order is paid or completed. If the order is given in any other status, an
   * empty list or `null` means the default.
   */
  license_codes?: CodeInput[] | number | null | undefined;
  /** `null` for goods without license codes. Default: `retail`. */
  code_typ?: Word<CodeType> | undefined;
  /** Default: 1, or the quantity if the type is `volumen`. */
  aktivierungen_bestellung?: number | undefined;
  /** Default: `both`; `all` cycles through every combination. */
  downloads?: (typeof downloadKinds)[number] | undefined;
}

/** A license code (§2.6). Missing fields are generated. */
export interface CodeInput {
  id?: number | string | undefined;
  license_key?: string | null | undefined;
  code_typ?: Word<CodeType> | undefined;
  download_url_64?: string | null | undefined;
  download_url_32?: string | null | undefined;
  aktivierungen_bestellung?: number | string | null | undefined;
}

/** The fields of an item that are not part of responses. */
export const itemHelpers = ['code_typ', 'aktivierungen_bestellung', 'downloads'] as const;
