import * as z from 'zod';
import { keysAdvice } from '../answers/masked-answer.ts';
import { orderNumber } from '../tools/order-number.ts';
import { definePrompt } from './prompt.ts';

export const licenseDistribution = definePrompt({
  name: 'license_distribution',
  title: 'License distribution',
  description: 'Prepares the license keys of one order for the people who get them.',
  args: z.object({ order_number: orderNumber.describe('bestellnummer') }),
  write: ({ order_number }, { licenseKeys }) => (licenseKeys ? writeMasked(order_number) : writeFull(order_number)),
});

const writeFull = (orderNumber: string): string =>
  `Prepare the license keys of order ${JSON.stringify(orderNumber)} for distribution. Read it with get_order. License keys exist only if its status is bezahlt (paid) or abgeschlossen (completed); if there are none, say why and stop, and never make one up. Otherwise list for each position: product, quantity, and for each code the license key exactly as it came, code_typ, activations allowed and the download URLs that are not null. A code of type account is a user name and a password. Point out where the number of codes differs from the quantity. The keys are secrets: show them once, in this answer, and nowhere else.`;

/** A masked key is of no use to anybody, and whoever gets one would take it for a key. */
const writeMasked = (orderNumber: string): string =>
  `License keys are masked here, so do not prepare order ${JSON.stringify(orderNumber)} for distribution, and hand out no text with **** as a key. Read the order with get_order and list for each position: product, quantity, number of codes and code_typ. Point out where the number of codes differs from the quantity. Then say how the keys can be had: ${keysAdvice}`;
