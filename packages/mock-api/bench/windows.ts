// node packages/mock-api/bench/windows.ts
//
// Prints how many of 300 requests are rejected, for each pacing strategy and each window model of the mock's limiter.
// Runs in virtual time with 20 to 60 ms latency each way. Shows the minimum and maximum of five seeds.
import { createLimiter, type LimitRules } from '../src/limit/limiter.ts';
import { settingDefinitions } from '../src/settings/settings.ts';

const models: [name: string, rules: LimitRules][] = [
  ...settingDefinitions.window.values.map((window): [string, LimitRules] => [
    window,
    { window, windowMs: 60_000, limit: 60 },
  ]),
  ['1 per second', { window: 'bucket', windowMs: 1_000, limit: 1 }],
];
const requests = 300;
/** Start time, ms: the start of a clock minute. */
const turn = 600_000;

/** A server and its network latency. */
interface World {
  /** Returns a one-way latency, ms. */
  travel(): number;
  /** Returns whether a request that arrives at `at` is accepted. Successive calls must not go back in time. */
  serve(at: number): boolean;
}

const createWorld = (rules: LimitRules, seed: number): World => {
  const limiter = createLimiter();
  let state = seed;
  return {
    travel() {
      state = (state * 48_271) % 2_147_483_647;
      return 20 + (40 * state) / 2_147_483_647;
    },
    serve: (at) => limiter.take('key', at, rules).allowed,
  };
};

const times = (count: number, at: (index: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => at(i));
const burst = (start: number): number[] => times(60, (i) => start + 2 * i);

/** Returns how many of the requests sent at these times are rejected. */
const rejected = (world: World, sent: number[]): number => {
  const arrivals = sent.map((time) => time + world.travel()).sort((a, b) => a - b);
  return arrivals.filter((time) => !world.serve(time)).length;
};

const every = (ms: number) => (world: World) =>
  rejected(
    world,
    times(requests, (i) => turn + i * ms),
  );

const pacings: Record<string, (world: World) => number> = {
  '60 at once, each burst 60 s after the start of the last': (world) =>
    rejected(
      world,
      [0, 1, 2, 3, 4].flatMap((k) => burst(turn + k * 60_000)),
    ),
  '60 at once, each burst 60 s after the last response': (world) => {
    let rejections = 0;
    for (let sent = 0, start = turn; sent < requests; sent += 60) {
      const arrivals = burst(start)
        .map((time) => time + world.travel())
        .sort((a, b) => a - b);
      rejections += arrivals.filter((time) => !world.serve(time)).length;
      start = Math.max(...arrivals.map((time) => time + world.travel())) + 60_000;
    }
    return rejections;
  },
  'one every 1.00 s': every(1_000),
  'one every 1.10 s': every(1_100),
  "60 in each minute of the client's clock, starting at second 59": (world) =>
    rejected(
      world,
      [-1_000, 0, 60_000, 120_000, 180_000].flatMap((start) => burst(turn + start + 1)),
    ),
  'the same, the two clocks 30 s apart': (world) =>
    rejected(
      world,
      [29_000, 30_000, 90_000, 150_000, 210_000].flatMap((start) => burst(turn + start + 1)),
    ),
  'none; waits 60 s after each 429': (world) => {
    let rejections = 0;
    for (let served = 0, time = turn; served < requests; ) {
      const isServed = world.serve(time + world.travel());
      time += 60;
      if (isServed) served += 1;
      else {
        rejections += 1;
        time += 60_000;
      }
    }
    return rejections;
  },
  '60 permits, each free again 61 s after its response': (world) => {
    const permits = times(60, () => turn);
    const sent: number[] = [];
    for (let next = turn; sent.length < requests; next += 20) {
      const permit = permits.indexOf(Math.min(...permits));
      next = Math.max(next, permits[permit] as number);
      sent.push(next + world.travel());
      permits[permit] = (sent.at(-1) as number) + world.travel() + 61_000;
    }
    return sent.sort((a, b) => a - b).filter((time) => !world.serve(time)).length;
  },
};

const line = (cells: string[]): void => console.log(`| ${cells.join(' | ')} |`);
line(['pacing', ...models.map(([name]) => name)]);
line(['---', ...models.map(() => '---')]);
for (const [name, pace] of Object.entries(pacings)) {
  const cells = models.map(([, rules]) => {
    const rejections = [1, 2, 3, 4, 5].map((seed) => pace(createWorld(rules, seed * 1_000_003)));
    const [least, most] = [Math.min(...rejections), Math.max(...rejections)];
    return least === most ? `${least}` : `${least} to ${most}`;
  });
  line([name, ...cells]);
}
