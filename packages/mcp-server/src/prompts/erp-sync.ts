import * as z from 'zod';
import { definePrompt } from './prompt.ts';
import { day, exact, walk } from './wording.ts';

export const erpSync = definePrompt({
  name: 'erp_sync',
  title: 'ERP sync',
  description: 'Collects the orders since a day, with positions, for an ERP system.',
  args: z.object({ since: day('First day') }),
  write: ({ since }) =>
    `Collect all orders with created_at on or after ${since} for our ERP system. ${walk} Stop after a page that holds older orders alone. Then read each of these orders with get_order by its id: one request each, of 60 per minute, so say first how many there are and how long it will take. Give one JSON array with id, bestellnummer, status, gesamtpreis_brutto, waehrung, created_at and the positions (product_name, menge, einzelpreis_brutto, number of license codes), field names and values as they came. Leave the license keys out. ${exact} Say at the end which orders could not be read.`,
});
