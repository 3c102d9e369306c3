// `node bench/n8n/shares.ts [name]` simulates days on one key in virtual time, with triggers, exports and an editor in
// n8n.
import { runDays } from '../../tests/soak/one-key/run.ts';
import { reportRow, tableOfRows } from './rows.ts';

console.log(tableOfRows(await runDays(process.argv[2], reportRow)));
