import * as z from 'zod';
import { definePrompt } from './prompt.ts';
import { day, exact, walk } from './wording.ts';

export const accountingExport = definePrompt({
  name: 'accounting_export',
  title: 'Accounting export',
  description: 'A table of the orders between two days, with a sum for each currency.',
  args: z.object({ from: day('First day'), to: day('Last day') }),
  write: ({ from, to }) =>
    `Make an accounting export of all orders with created_at from ${from} to ${to}, both days included. ${walk} Stop after a page that holds older orders alone; the list alone is enough. Give CSV with the columns bestellnummer, created_at, status, zahlungsstatus, gesamtpreis_brutto, waehrung. ${exact} Below it give, for each currency and each status, the number of orders and the exact sum. Do not conclude from status whether an order was paid for, or the other way round: zahlungsstatus is a field of its own.`,
});
