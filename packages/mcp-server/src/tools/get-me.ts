import { userShape } from '@order-license/core/masking';
import * as z from 'zod';
import { readOptions } from '../client/one-call.ts';
import { defineTool } from './tool.ts';

export const getMe = defineTool({
  name: 'order_license_get_me',
  title: 'Read account',
  description:
    'Reads the business account that owns the API key. Use it to test the connection. Costs 1 of 60 requests per minute.',
  input: z.object({}), // some clients send arguments anyway
  output: z.looseObject({}).describe('user_id, email, name, company, vat_id, api_version'),
  documented: userShape,
  run: async (_args, call) => call.show(await call.client.getMe(readOptions(call))),
});
