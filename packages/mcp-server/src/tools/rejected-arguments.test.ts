import { expect, test } from 'vitest';
import { connectToService } from '../testing/moving-service.fixture.ts';

const day = { created_from: '2026-03-03', created_before: '2026-03-04' };
const values = (name: string, all: readonly unknown[]): object[] => all.map((value) => ({ [name]: value }));

const fromList = 'from the `id` field of order_license_list_orders, and an order number as `order_number`';
const choice =
  'Pass one of `id` (from order_license_list_orders), `order_number` (bestellnummer), `ids` (up to 400), or `created_from` and `created_before`';
const filters =
  'order_license_list_orders can search and filter only by `status`, `zahlungsstatus`, `lieferstatus`, `created_from`, `created_before`, `time_zone` and `product`; it also accepts `page`, `per_page` and `summary`';
const statuses = 'ausstehend (pending), bezahlt (paid), abgeschlossen (completed), storniert (cancelled)';
const instant =
  'must be a date such as 2026-11-01, or a time such as 2026-11-01 09:30:00; unless it ends with a UTC offset such as +01:00, it is in `time_zone`';
const searches = 'dates, `product`, `zahlungsstatus`, `lieferstatus`, several statuses or `summary`';

const cases: Record<string, [message: string, args: object[]][]> = {
  get_order: [
    [choice, [{}, { id: 1, order_number: 'B-1' }, { id: 1, ids: [1] }, { id: null, order_number: null }]],
    [choice, [{ product: 'x' }, { skip: 1 }, { created_from: '2026-03-03' }, { id: 1, ...day }]],
    [choice, [{ ids: [1], created_from: '2026-03-03' }]],
    [`There is no argument "number". ${choice}`, [{ number: 'B-1' }, { id: null, number: 'B-1' }]],
    [
      '`id` must be a whole number, as in the `id` field of order_license_list_orders; pass an order number as `order_number`',
      [
        ...values('id', ['B-2026-000042', -1, 1.5, '1e3', '007', '0x10', 2 ** 53, true, {}, 'null']),
        ...values('id', ['1'.repeat(31), '9'.repeat(60_000)]),
      ],
    ],
    [
      '`ids` must be a list of 1 to 400 whole numbers, each an `id` from order_license_list_orders; pass more in several calls',
      [{ ids: Array.from({ length: 401 }, (_, index) => index + 1) }],
    ],
    ...['"all"', '"B-1"', '0', '{"a":1}'].map((wrong): [string, object[]] => [
      `${wrong} in \`ids\` is not an order ID: pass whole numbers ${fromList}`,
      [{ ids: [7, JSON.parse(wrong)] }],
    ]),
    [
      '`order_number` must be a string of at most 100 characters, or a whole number of at most 15 digits',
      values('order_number', [2 ** 53, 1.5, true, {}, 'x'.repeat(101)]),
    ],
    [
      '`status` and `time_zone` require `created_from` and `created_before`',
      [
        { id: 1, status: 'bezahlt' },
        { order_number: 'B-1', time_zone: 'Europe/Berlin' },
      ],
    ],
    ['`codes` must be true or false', [{ id: 7, codes: 1 }]],
    ['`skip` must be copied from `continue`', [{ id: 7, skip: 'x' }]],
    [
      '`skip` requires `id`, `order_number`, `ids` or `continue_id`. Use the arguments in `continue`',
      [{ ...day, skip: 2 }],
    ],
  ],
  list_orders: [
    [`There is no argument "customer". ${filters}`, [{ customer: 'Müller' }]],
    ['`per_page` must be a whole number from 1 to 50', values('per_page', [51, -1, 1.5, 'ten', true, [20], {}])],
    ['`page` must be a positive whole number', values('page', [-3, 2 ** 53, 'last', 'null', '1.5'])],
    [
      `\`status\` must be one of ${statuses}, or a list of these values; omit \`status\` to read all orders`,
      values('status', ['paid', 'Bezahlt', 'bezahlt,paid', '["bezahlt"', '["paid"]', ['bezahlt', 'paid']]),
    ],
    [
      `\`created_from\` ${instant}`,
      values('created_from', ['null', '2026-02-30', '1.3.2026', '2026-01-01T10:00+25:00']),
    ],
    [`\`created_before\` ${instant}`, values('created_before', ['yesterday', 1_767_225_600])],
    [
      '`created_from` must be earlier than `created_before`, which is exclusive. For one day, pass that day and the next',
      [{ created_from: '2026-01-01', created_before: '2026-01-01' }],
    ],
    ['`time_zone` must be an IANA name such as Europe/Berlin', [{ ...day, time_zone: 'Europe/Bärlin' }]],
    [
      `\`time_zone\` requires ${searches}. Omit \`time_zone\`: the times in a page are always in UTC`,
      [{ page: 1, time_zone: 'Europe/Berlin' }],
    ],
    [
      '`continue_id` must be copied from `continue`, with all other arguments there',
      [{ continue_id: '7', per_page: 5 }],
    ],
    ['`product` must be part of a product name, with 1 to 200 characters', [{ product: 2024.5 }]],
    ['`zahlungsstatus` must be a text or a list of texts, as in results', [{ zahlungsstatus: {} }]],
    ['`summary` must be true, false, day, week or month', [{ summary: 'yes' }]],
    [
      '`summary` counts whole orders, so `product` cannot be combined with it. Omit one of them',
      [{ product: 'x', summary: true }],
    ],
    [
      `\`page\` cannot be combined with ${searches}. Omit \`page\`: \`continue\` in the result holds the arguments for the next part`,
      [{ ...day }, { status: ['bezahlt', 'storniert'] }, { summary: true }, { product: 'x' }].map((args) => ({
        page: 2,
        ...args,
      })),
    ],
    [
      `There is no argument "sumary". ${filters}. \`page\` must be a positive whole number. \`status\` must be one of ${statuses}, or a list of these values; omit \`status\` to read all orders. Other arguments are invalid, too`,
      [{ page: 'x', status: 'x', created_from: 'x', created_before: 'x', time_zone: 'x', sumary: true }],
    ],
  ],
};

test.each(Object.entries(cases).flatMap(([tool, all]) => all.map(([message, args]) => [tool, message, args] as const)))(
  '%s says before any request: %s [S-33 S-48 S-56]',
  async (tool, message, all) => {
    const { call, requests } = await connectToService({ orders: [] });
    for (const args of all) {
      expect(await call(tool, args)).toMatchObject({ isError: true, text: `bad_request: ${message}.` });
    }
    expect(requests()).toBe(0);
  },
);
