import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairLane, type FairLane, type Place } from './fair-lane.ts';

const takeAll = (lane: FairLane<string>): string[] => {
  const taken: string[] = [];
  for (let next = lane.take(); next; next = lane.take()) taken.push(next.item);
  return taken;
};

test('consumers take turns, and each is served in order of arrival', () => {
  const lane = createFairLane<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) lane.add(item, item[0]);
  expect(takeAll(lane)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('a consumer that returns after its turn waits for one round', () => {
  const lane = createFairLane<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1']) lane.add(item, item[0]);
  expect([lane.take()?.item, lane.take()?.item]).toEqual(['a1', 'b1']);
  lane.add('b2', 'b');
  expect(takeAll(lane)).toEqual(['a2', 'b2', 'a3']);
});

test('an item can leave from any position, and only once', () => {
  const lane = createFairLane<number>();
  const places = [0, 1, 2, 3].map((item) => lane.add(item, 'a'));
  for (const index of [1, 3, 0]) expect(lane.remove(places[index] as Place<number>)).toBe(true);
  expect(lane.remove(places[1] as Place<number>)).toBe(false);
  expect(lane.size()).toBe(1);
  expect(lane.take()?.item).toBe(2);
  expect(lane.remove(places[2] as Place<number>)).toBe(false);
});

/** The simplest fair queue: a list of consumers, each with a list of items. */
const createModel = () => {
  let round: { consumer: number; items: number[] }[] = [];
  const drop = () => {
    round = round.filter(({ items }) => items.length > 0);
  };
  const take = () => {
    const turn = round.shift();
    const item = turn?.items.shift();
    if (turn) round.push(turn);
    drop();
    return item;
  };
  return {
    add(item: number, consumer: number) {
      const turn = round.find((turn) => turn.consumer === consumer);
      if (turn) turn.items.push(item);
      else round.push({ consumer, items: [item] });
    },
    remove(item: number) {
      for (const turn of round) turn.items = turn.items.filter((one) => one !== item);
      drop();
    },
    take,
    consumers: () => round.length,
    order() {
      const before = structuredClone(round);
      const all: number[] = [];
      for (let item = take(); item !== undefined; item = take()) all.push(item);
      round = before;
      return all;
    },
  };
};

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), consumer: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  ),
  { maxLength: 80 },
);

test('matches a simple fair queue, and estimates those ahead to within one round, for any sequence', () => {
  fc.assert(
    fc.property(steps, (run) => {
      const lane = createFairLane<number>();
      const model = createModel();
      const places = new Map<number, Place<number>>();
      let hasLeft = false;
      run.forEach((step, item) => {
        if (step.do === 'add') {
          places.set(item, lane.add(item, step.consumer));
          model.add(item, step.consumer);
        }
        if (step.do === 'take') expect(lane.take()?.item).toBe(model.take());
        const leaving = step.do === 'remove' ? model.order()[step.which] : undefined;
        if (leaving !== undefined) {
          hasLeft = true;
          expect(lane.remove(places.get(leaving) as Place<number>)).toBe(true);
          model.remove(leaving);
        }
        const order = model.order();
        expect(lane.size()).toBe(order.length);
        for (const [index, item] of order.entries()) {
          const ahead = lane.ahead(places.get(item) as Place<number>);
          expect(ahead).toBeLessThan(index + model.consumers());
          if (!hasLeft) expect(ahead).toBeGreaterThanOrEqual(index);
        }
      });
    }),
  );
});
