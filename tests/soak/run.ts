// node tests/soak/run.ts [--minutes N] [--histories N]
// Simulates days of n8n on one API key, then N random histories (default 5) with many failures, in virtual time. After
// that, runs five processes on one API key for N real minutes (default 10): half of the time with Redis, half with
// SQLite.
// Prints progress and figures. Exit code 1 for any violation. Ctrl-C ends the run cleanly.
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeProgress, describeShares } from './minutes/describe.ts';
import { type OnProgress, runMinutes } from './minutes/minutes.ts';
import { findStores } from './minutes/store.ts';
import { describeFigures } from './one-key/describe.ts';
import { checkHistories } from './one-key/histories.ts';
import { type OnRow, runDays, runPaidOrders } from './one-key/run.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, histories: { type: 'string', default: '5' } },
});
const minutes = Number(values.minutes);
const histories = Number(values.histories);
if (!(minutes >= 0 && minutes <= 1440)) throw new RangeError('--minutes must be a number from 0 to 1440.');
if (!(histories >= 0 && histories <= 10_000)) throw new RangeError('--histories must be a number from 0 to 10000.');
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());

const problems: string[] = [];
if (histories > 0) {
  const showRow: OnRow = ({ name, figures }, _, seconds) =>
    console.log([`one key: ${name}: ${seconds.toFixed(0)} s`, ...describeFigures(figures)].join('\n  '));
  for (const { name, problems: found } of [...(await runDays('', showRow)), ...(await runPaidOrders(2, showRow))]) {
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  await checkHistories({ hours: 24, orders: { min: 1_500, max: 25_000 }, maxDisturbances: 12 }, histories).catch(
    ({ message, cause }: Error) => problems.push(`${message} ${(cause as Error | undefined)?.message ?? ''}`),
  );
  console.log(`one key: ${histories} random histories of 24 hours`);
}

let shown = 0;
const showMinutes: OnProgress = (report, secondsLeft) => {
  if (secondsLeft > 0 && performance.now() - shown < 29_000) return;
  shown = performance.now();
  console.log(describeProgress(report, secondsLeft));
};
const openStores = minutes > 0 && !interrupted.signal.aborted ? findStores() : [];
for (const openStore of openStores) {
  if (interrupted.signal.aborted) break;
  const store = await openStore();
  const each = minutes / openStores.length;
  console.log(`${each} real minutes; the MCP servers and programs count in ${store.setting.split(':')[0]}`);
  const report = await runMinutes(each, store.setting, interrupted.signal, showMinutes).finally(store.close);
  problems.push(...report.problems);
  console.log(describeShares(report, each).join('\n'));
}

/** Returns what would keep this process alive, apart from its own output. */
const openHandles = () => process.getActiveResourcesInfo().filter((kind) => !['TTYWrap', 'PipeWrap'].includes(kind));
// The handle of an ended process is released only a moment later.
for (let tries = 0; tries < 100 && openHandles().length > 0; tries++) await setImmediate();
const open = openHandles();
if (open.length > 0) problems.push(`still open at the end: ${open}`);
for (const problem of problems.slice(0, 20)) console.log(`PROBLEM ${problem}`);
console.log(
  problems.length === 0 ? 'Nothing was rejected or lost, and no handle is left open.' : `${problems.length} problems.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
