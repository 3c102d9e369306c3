import { abortedError, closedError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { timeoutError } from '../base/host-errors.ts';
import { createAbortWatch } from './abort-watch.ts';
import { createAgenda } from './agenda.ts';
import { isInLane } from './fair-lane.ts';
import { laneOf, lanes, type PermitRequest, type Waiting } from './permit-request.ts';
import { createPause } from './refusals.ts';
import { createWaitQueue, type WaitQueue } from './wait-queue.ts';

/** The requests that wait for a permit, and every way out: taken, refused, aborted or past the deadline. */
export interface WaitingRoom extends Pick<WaitQueue<PermitRequest>, 'next' | 'ahead' | 'size'> {
  /** Undefined if the request is refused at once, since it is already aborted. */
  enter(request: PermitRequest): Waiting | undefined;
  /** Removes and returns the next request of a lane. */
  take(lane: number): PermitRequest | undefined;
  /** Refuses a request, unless it has left. */
  refuse(waiting: Waiting, error: unknown): void;
  /** Refuses requests past their deadline. */
  refuseLate(): void;
  /** The next deadline; Infinity for none. */
  nextDeadline(): number;
}

/** @param onEmpty called when the last one has been aborted */
export const createWaitingRoom = (host: Pick<Host, 'now' | 'sleep'>, onEmpty: () => void): WaitingRoom => {
  const queue = createWaitQueue<PermitRequest>(lanes.length);
  const byDeadline = createAgenda<Waiting>(isInLane);

  const unwatch = (waiting: Waiting): void => {
    aborts.remove(waiting.item.signal, waiting);
    aborts.remove(waiting.item.closing, waiting);
  };

  const leave = (waiting: Waiting): boolean => {
    unwatch(waiting);
    return queue.remove(waiting);
  };

  const refuse = (waiting: Waiting, error: unknown): void => {
    if (leave(waiting)) waiting.item.refuse(error);
  };

  const aborts = createAbortWatch<Waiting>(async (signal, waiting) => {
    const left = [...waiting].filter(leave);
    if (queue.size() === 0) onEmpty();
    const pause = createPause(host);
    for (const { item } of left) {
      item.refuse(abortError(item, signal));
      await pause();
    }
  });

  return {
    ...queue,
    enter(request) {
      const { signal, closing, deadline, consumer } = request;
      const aborted = [signal, closing].find((one) => one?.aborted);
      if (aborted) {
        request.refuse(abortError(request, aborted));
        return undefined;
      }
      const waiting = queue.add(request, laneOf(request), consumer);
      aborts.add(signal, waiting);
      aborts.add(closing, waiting);
      byDeadline.add(deadline, waiting);
      return waiting;
    },
    take(lane) {
      const next = queue.take(lane);
      if (next) unwatch(next);
      return next?.item;
    },
    refuse,
    refuseLate() {
      for (let next = byDeadline.first(); next && next.at <= host.now(); next = byDeadline.first()) {
        refuse(next.item, timeoutError(next.item.item.deadlineMs));
      }
    },
    nextDeadline: () => byDeadline.first()?.at ?? Number.POSITIVE_INFINITY,
  };
};

const abortError = (request: PermitRequest, signal: AbortSignal): Error =>
  signal === request.signal ? abortedError(signal) : closedError();
