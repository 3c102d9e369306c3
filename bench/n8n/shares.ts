// One key, many uses, in n8n: days of triggers, exports and an editor in virtual time; `node bench/n8n/shares.ts [name]`.
import { runDays } from '../../tests/soak/one-key/run.ts';
import { reportRow, tableOfRows } from './rows.ts';

console.log(tableOfRows(await runDays(process.argv[2], reportRow)));
