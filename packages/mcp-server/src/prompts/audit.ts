import * as z from 'zod';
import { definePrompt } from './prompt.ts';
import { exact, walk } from './wording.ts';

export const audit = definePrompt({
  name: 'audit',
  title: 'Audit',
  description: 'Looks through all orders for what does not fit together.',
  args: z.object({}),
  write: () =>
    `Audit the orders of this account. First name the account (get_me). ${walk} Go on to the last page (pagination.pages) and say how many orders there are. Report orders whose status and zahlungsstatus do not fit together, order numbers that occur twice, and orders that are still ausstehend (pending) after 30 days. Then propose a sample of at most 20 orders that are bezahlt (paid) or abgeschlossen (completed) and, once it is agreed, read them with get_order: report those without license codes, and those where the number of codes differs from the quantity, which may be right for codes with several activations. Do not show license keys. ${exact}`,
});
