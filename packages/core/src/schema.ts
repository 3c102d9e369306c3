import * as z from 'zod';
import { type FindDeviations, orderStatuses } from './portable.ts';

// Importing zod takes 50 ms: the client loads this module for its first deviation report, the entry never does.

const money = z.string().regex(/^-?\d+\.\d{2}$/);
const id = z.int().positive();

/** The owner of the key (§2.1), exactly as documented. */
export const userSchema = z.looseObject({
  user_id: id,
  email: z.string(),
  name: z.string(),
  company: z.string(),
  vat_id: z.string(),
  api_version: z.string().regex(/^\d+\.\d+$/),
});

const statusSchema = z.enum(orderStatuses);

/** An entry of the list (§2.2), exactly as documented. */
export const orderSummarySchema = z.looseObject({
  id,
  bestellnummer: z.string(),
  status: statusSchema,
  zahlungsstatus: z.string(),
  gesamtpreis_brutto: money,
  waehrung: z.string().regex(/^[A-Z]{3}$/),
  created_at: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  lieferstatus: z.string(),
});

/** A page of the list (§4.2), exactly as documented. */
export const orderListSchema = z.looseObject({
  orders: z.array(orderSummarySchema),
  pagination: z.looseObject({
    page: z.int().positive(),
    per_page: z.int().min(1).max(50),
    total: z.int().nonnegative(),
    pages: z.int().nonnegative(),
  }),
});

/** A license code (§2.6), exactly as documented. */
export const licenseCodeSchema = z.looseObject({
  id,
  license_key: z.string(),
  code_typ: z.enum(['retail', 'volumen', 'account', 'abo']),
  download_url_64: z.string().nullable(),
  download_url_32: z.string().nullable(),
  aktivierungen_bestellung: z.int(),
});

/** One order (§2.4 to §2.6), exactly as documented; license codes may be empty, null or absent (§4.3.3). */
export const orderSchema = z.looseObject({
  id,
  bestellnummer: z.string(),
  status: statusSchema,
  gesamtpreis_brutto: money,
  waehrung: z.string().regex(/^[A-Z]{3}$/),
  items: z.array(
    z.looseObject({
      id,
      product_name: z.string(),
      menge: z.int(),
      einzelpreis_brutto: money,
      license_codes: z.array(licenseCodeSchema).nullish(),
    }),
  ),
  billing_address: z.looseObject({}),
});

const schemas = { getMe: userSchema, listOrders: orderListSchema, getOrder: orderSchema };

const maxPaths = 20;

/** The paths, at most 20, at which an answer differs from the API docs. Never a value. */
export const findDeviations = (...[operation, data]: Parameters<FindDeviations>): string[] => {
  const issues = schemas[operation].safeParse(data).error?.issues ?? [];
  return [...new Set(issues.map(({ path }) => path.join('.')))].slice(0, maxPaths);
};
