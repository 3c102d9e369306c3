// A trigger over 25,000 paid orders in virtual time: `node bench/n8n/month.ts [days]`, default 30.
import { runPaidOrders } from '../../tests/soak/one-key/run.ts';
import { reportRow, tableOfRows } from './rows.ts';

console.log(tableOfRows(await runPaidOrders(Number(process.argv[2] ?? 30), reportRow)));
