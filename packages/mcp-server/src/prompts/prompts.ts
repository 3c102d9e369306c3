import type { McpServer } from '@modelcontextprotocol/server';
import { marker } from '@order-license/core/masking';
import * as z from 'zod';
import { whoShowsKeys } from '../app/mcp-apps.ts';
import type { ToolSettings } from '../app/tool-settings.ts';

/** A task that a person starts, and for which the model makes several calls. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  args: z.ZodObject<Record<string, z.ZodType>>;
  /**
   * Writes the prompt's text, as if the user had written it to the model.
   * @param values the arguments as words for the model, and `tomorrow`, the date of the next day
   * @param keysAdvice how to see license keys, if they are masked
   */
  write(values: Readonly<Record<string, string>>, keysAdvice?: string): string;
}

/**
 * Returns the contents of a `SKILL.md` file with the same task, for assistants that load skills. Argument names in
 * capital letters stand for the values.
 */
export const skillOf = ({ name, description, args, write }: Prompt): string => {
  const forms = Object.entries(args.shape);
  const wanted = forms.map(([arg, { description }]) => `- ${arg.toUpperCase()}: ${description}`);
  const text = write({
    ...Object.fromEntries(forms.map(([arg]) => [arg, arg.toUpperCase()])),
    tomorrow: "tomorrow's date",
  });
  return `---\nname: ${name.replaceAll('_', '-')}\ndescription: ${description} Uses the tools of the order-license MCP server.\n---\n\nAsk the user for each value that is missing:\n\n${wanted.join('\n')}\n\n${text}\n\nIf license keys are masked (\`${marker}\`), do not present them as keys: \`masking\` in the result says who can see them.\n`;
};

export const servePrompt = (
  server: McpServer,
  { name, title, description, args, write }: Prompt,
  { masking, card }: Pick<ToolSettings, 'masking' | 'card'>,
): void => {
  server.registerPrompt<z.ZodObject>(name, { title, description, argsSchema: args }, (values, ctx) => {
    const keysAdvice = masking.licenseKeys ? whoShowsKeys(card !== undefined, server, ctx) : undefined;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const text = write({ ...(values as Record<string, string>), tomorrow }, keysAdvice);
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
};

/** Returns the schema of an argument that is a day. */
const day = (what: string) => z.string().describe(`${what}, YYYY-MM-DD, UTC`);
const period = { from: day('First day'), to: day('Last day') };

/** Says in a prompt which arguments of a tool stand for the period. */
const range = ({ from, to }: Readonly<Record<string, string>>): string =>
  `created_from ${from}, created_before the day after ${to} (so both days are included)`;

const goOn =
  'While `complete` is false, call the same tool again with the arguments in `continue`; the parts never overlap.';
const exact = 'Keep amounts as decimal strings, do not round them, and never add amounts in different currencies.';

const erpSync: Prompt = {
  name: 'erp_sync',
  title: 'ERP sync',
  description: 'Collects all orders since a given day, with their items, for an ERP system.',
  args: z.object({ since: day('First day') }),
  write: ({ since, tomorrow }) =>
    `Collect all orders with created_at on or after ${since} for our ERP system. First call order_license_list_orders with created_from ${since}, created_before ${tomorrow} and \`summary\` true, and report how many there are: reading each order costs one of 60 requests per minute. Then call order_license_get_order with the same dates and \`codes\` false. ${goOn} Return one JSON array with id, bestellnummer, status, gesamtpreis_brutto, waehrung, created_at and the items (product_name, menge, einzelpreis_brutto, number of license codes), with the API's field names and values. ${exact} At the end, list the orders that could not be read.`,
};

const licenseDistribution: Prompt = {
  name: 'license_distribution',
  title: 'License distribution',
  description: 'Prepares the license keys of one product, from all orders in a period, for distribution.',
  args: z.object({ product: z.string().describe('Product name, or part of it'), ...period }),
  write({ product, ...days }, keysAdvice) {
    const named = JSON.stringify(product);
    const find = `Call order_license_get_order with ${range(days)} and product ${named}: the tool reads every order in the period that can have license codes. ${goOn}`;
    const compare =
      'Report items whose number of codes differs from the quantity. The difference can be correct: codes can arrive later, and one code can have several activations.';
    // A masked key does not work, but its recipient could mistake it for a real one.
    return keysAdvice
      ? `License keys are masked here, so do not prepare the keys of ${named} for distribution, and do not present text with ${marker} as a key. ${find} For each order, list its number, the quantity, the number of codes and \`code_typ\`. ${compare} Then say how to get the keys: ${keysAdvice}`
      : `Prepare the license keys of ${named} for distribution. ${find} For each order, list its number and the quantity. For each code, list the unchanged license key, \`code_typ\`, the allowed activations and the download URLs that are not null. If \`code_typ\` is account, the key is a login. ${compare} If you find no codes, say so, and never make one up. The keys are secrets: show them once, in this reply, and nowhere else.`;
  },
};

const accountingExport: Prompt = {
  name: 'accounting_export',
  title: 'Accounting export',
  description: 'Exports the orders in a period as CSV, with exact sums by currency and status.',
  args: z.object(period),
  write: (days) =>
    `Create an accounting export of all orders from ${days.from} to ${days.to}. First call order_license_list_orders with ${range(days)} and \`summary\` true: its sums are exact, so do not add up orders yourself. If the summary comes in several parts, add only sums in the same currency. ${goOn} If you have the tool order_license_export_orders, call it with the same dates and \`what\` orders to write the CSV file, and report its folder and name. Otherwise, call order_license_list_orders with the same dates, without \`summary\`, and return CSV with the columns bestellnummer, created_at, status, zahlungsstatus, gesamtpreis_brutto, waehrung; if there are more than 500 orders, first report the sums and ask, because this takes one call and about 4,000 tokens per 100 orders. Check that the number of rows equals the \`count\` in the summary. Then report the count and sum for each currency, \`status\` and \`zahlungsstatus\`. ${exact} The order status and the payment status are separate: never infer \`zahlungsstatus\` from \`status\`, or \`status\` from \`zahlungsstatus\`.`,
};

const audit: Prompt = {
  name: 'audit',
  title: 'Audit',
  description: 'Finds inconsistencies among the orders in a period.',
  args: z.object(period),
  write: (days) =>
    `Audit the orders from ${days.from} to ${days.to}. First report the account (order_license_get_me). Call order_license_list_orders with ${range(days)} and \`summary\` true: its \`groups\` count the orders for each combination of \`status\`, \`zahlungsstatus\` and \`lieferstatus\`. ${goOn} Report inconsistent groups, such as abgeschlossen (completed) with an open payment; to list their orders, call order_license_list_orders with the same dates and the \`status\` of the group. Report orders that are still ausstehend (pending) after 30 days. Then propose a sample of at most 20 orders that are bezahlt (paid) or abgeschlossen (completed) and, once the user agrees, read them with one order_license_get_order call (\`ids\`, and \`codes\` false). Report orders without license codes, and items whose number of codes differs from the quantity. A difference can be correct if a code has several activations. ${exact}`,
};

/** One task for each use case (§1) that requires several calls; single calls need no prompt. */
export const prompts: readonly Prompt[] = [erpSync, licenseDistribution, accountingExport, audit];
