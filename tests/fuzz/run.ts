// node tests/fuzz/run.ts [cases] [seed]: fuzzes every package, with 100,000 cases by default. Prints the cases of each
// area, the seed and the findings; exits with 1 if there is a finding.
import { runArea } from './area.ts';
import { areas, casesOf } from './areas.ts';

const [cases = 100_000, seed = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number);
if (!Number.isSafeInteger(cases) || cases < 1 || !Number.isSafeInteger(seed)) {
  throw new RangeError('node tests/fuzz/run.ts [cases] [seed] takes whole numbers.');
}
console.log(`Seed ${seed}; \`node tests/fuzz/run.ts ${cases} ${seed}\` runs the same cases again.`);
let ran = 0;
let findings = 0;
const started = performance.now();
for (const area of areas) {
  const report = await runArea(area, casesOf(area, cases), seed);
  ran += report.cases;
  console.log(`${report.name}: ${report.cases} cases in ${report.seconds.toFixed(1)} s; ${area.holds}`);
  if (report.finding === undefined) continue;
  findings += 1;
  console.log(report.finding.slice(0, 4_000));
}
const seconds = (performance.now() - started) / 1000;
console.log(`${ran} cases, ${findings} findings, ${seconds.toFixed(0)} s.`);
process.exitCode = findings === 0 ? 0 : 1;
