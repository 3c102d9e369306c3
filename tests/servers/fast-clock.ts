// Load this file before a program with `node --import`. The program's clock then runs faster by the factor in
// TEST_CLOCK_FACTOR, and each SIGUSR2 advances it by 61 s. So the built program runs unchanged, and no test has to wait
// for a minute.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

const factor = Number(process.env.TEST_CLOCK_FACTOR ?? 1);
const realNow = performance.now.bind(performance);
let passedMs = 0;
performance.now = () => realNow() * factor + passedMs;
process.on('SIGUSR2', () => {
  passedMs += 61_000;
});

const { setTimeout: realTimeout } = globalThis;
const realSleep = timersPromises.setTimeout;
const fastTimeout = Object.assign(
  (run: () => void, ms = 0, ...rest: []) => realTimeout(run, ms / factor, ...rest),
  realTimeout,
) as typeof setTimeout;
globalThis.setTimeout = fastTimeout;
timers.setTimeout = fastTimeout;
timersPromises.setTimeout = (ms = 0, ...rest) => realSleep(ms / factor, ...rest);
syncBuiltinESMExports();
