// `node bench/n8n/paid-orders.ts [days]` runs a trigger over 25,000 paid orders in virtual time, for three days by default.
import { runPaidOrders } from '../../tests/soak/one-key/run.ts';
import { reportRow, tableOfRows } from './rows.ts';

console.log(tableOfRows(await runPaidOrders(Number(process.argv[2] ?? 3), reportRow)));
