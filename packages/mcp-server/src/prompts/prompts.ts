import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { whoShowsKeys } from '../app/who-shows-keys.ts';
import type { ToolSettings } from '../tools/tool.ts';

export interface Prompt {
  name: string;
  register(server: McpServer, settings: Pick<ToolSettings, 'masking' | 'card'>): void;
}

interface PromptDefinition<Args extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  args: Args;
  /**
   * @param keysAdvice who can show license keys, where they are masked
   * @returns what the user says to the model
   */
  write(args: z.output<Args>, keysAdvice: string | undefined): string;
}

const definePrompt = <Args extends z.ZodObject>(definition: PromptDefinition<Args>): Prompt => {
  const { name, title, description, args, write } = definition;
  return {
    name,
    register(server, { masking, card }) {
      server.registerPrompt<z.ZodObject>(name, { title, description, argsSchema: args }, (values, ctx) => {
        const keysAdvice = masking.licenseKeys ? whoShowsKeys(card !== undefined, server, ctx) : undefined;
        const text = write(values as z.output<Args>, keysAdvice);
        return { messages: [{ role: 'user', content: { type: 'text', text } }] };
      });
    },
  };
};

/** A day as an argument. */
const day = (what: string) =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, 'Give the day as YYYY-MM-DD.')
    .refine((text) => new Date(`${text}T00:00:00Z`).getTime() > 0, 'There is no such day.')
    .describe(`${what}, YYYY-MM-DD, UTC`);
const period = { from: day('First day'), to: day('Last day') };

/** `created_before` is exclusive. */
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
const range = ({ from, to }: { from: string; to: string }): string =>
  `created_from ${from} and created_before ${dayAfter(to)}`;

const goOn = 'While complete is false, call it again with the arguments in continue: the parts never overlap.';
const exact =
  'Take amounts as the decimal strings that they are, do not round them, and never add amounts of different currencies.';

const erpSync = definePrompt({
  name: 'erp_sync',
  title: 'ERP sync',
  description: 'Collects the orders since a day, with positions, for an ERP system.',
  args: z.object({ since: day('First day') }),
  write: ({ since }) =>
    `Collect all orders with created_at on or after ${since} for our ERP system. Call list_orders with created_from ${since}. ${goOn} Then read the orders with get_order, codes false, 20 ids a call: one request for each order, of 60 per minute, so say first how many there are. Give one JSON array with id, bestellnummer, status, gesamtpreis_brutto, waehrung, created_at and the positions (product_name, menge, einzelpreis_brutto, number of license codes), field names and values as they came. ${exact} Say at the end which orders could not be read.`,
});

const licenseDistribution = definePrompt({
  name: 'license_distribution',
  title: 'License distribution',
  description:
    'Prepares the license keys of one product, from all orders of a period, for the people who receive them.',
  args: z.object({ product: z.string().trim().min(1).max(200).describe('Product name or a part of it'), ...period }),
  write({ product, from, to }, keysAdvice) {
    const named = JSON.stringify(product);
    const find = `Call list_orders with ${range({ from, to })} and status ["bezahlt","abgeschlossen"]: other orders have no license codes. ${goOn} Read the orders with get_order, 20 ids a call, and keep the positions whose product_name contains ${named}. Where such an order has codes_left_out, read it as read_codes_with says.`;
    const compare =
      'Point out where the number of codes differs from the quantity: codes may come later, and one code may have several activations.';
    // A masked key is of no use to anybody, and whoever gets one would take it for a key.
    return keysAdvice
      ? `License keys are masked here, so do not prepare those of ${named} for distribution, and hand out no text with **** as a key. ${find} List for each order: number, quantity, number of codes and code_typ. ${compare} Then say how the keys can be had: ${keysAdvice}`
      : `Prepare the license keys of ${named} for distribution. ${find} List for each order: number, quantity, and for each code the license key exactly as it came, code_typ, activations allowed and the download URLs that are not null. A code of type account is a login. ${compare} If there are none, say so, and never make one up. The keys are secrets: show them once, in this answer, and nowhere else.`;
  },
});

const accountingExport = definePrompt({
  name: 'accounting_export',
  title: 'Accounting export',
  description: 'A table of the orders between two days, with exact sums by currency and state.',
  args: z.object(period),
  write: (days) =>
    `Make an accounting export of all orders from ${days.from} to ${days.to}, both days included. First call list_orders with ${range(days)} and summary true: it adds up exactly, so add nothing yourself but the sums of the same currency from several parts. ${goOn} If there are more than 500 orders, give the sums, and ask before you go on: a table takes one call and some 4,000 tokens for every 100 orders. Then call list_orders with the same dates, without summary. ${goOn} Give CSV with the columns bestellnummer, created_at, status, zahlungsstatus, gesamtpreis_brutto, waehrung, and check that it has as many rows as the summary counts. Below it give count and sum for each currency, status and zahlungsstatus. ${exact} Do not conclude from status whether an order was paid for, or the other way round: zahlungsstatus is a field of its own.`,
});

const audit = definePrompt({
  name: 'audit',
  title: 'Audit',
  description: 'Finds inconsistencies in the orders of a period.',
  args: z.object(period),
  write: (days) =>
    `Audit the orders from ${days.from} to ${days.to}, both days included. First name the account (get_me). Call list_orders with ${range(days)} and summary true: its groups say how many orders have each status, zahlungsstatus and lieferstatus. ${goOn} Report groups that do not fit together, such as abgeschlossen (completed) with an open payment, and list their orders by calling list_orders with the same dates and their status. Report orders that are still ausstehend (pending) after 30 days. Then propose a sample of at most 20 orders that are bezahlt (paid) or abgeschlossen (completed) and, once it is agreed, read them with one call of get_order (ids, codes false): report those without license codes, and those where the number of codes differs from the quantity, which may be right for codes with several activations. ${exact}`,
});

/** Work that takes several calls, one for each of the uses of the API (§1). What one call answers needs no prompt. */
export const prompts: readonly Prompt[] = [erpSync, licenseDistribution, accountingExport, audit];
