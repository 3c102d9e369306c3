import { abortedError } from '../base/errors.ts';
import type { Host, HttpRequest, HttpResponse } from '../base/host.ts';
import { timeoutError } from '../base/host-errors.ts';

/** A host that has not settled this long after its timeout is abandoned, ms. */
const graceMs = 1_000;

/** Wraps `host.send` so that it always settles in time; uses real time, since a host's clock may be virtual. */
export const sendInTime = (host: Host, request: HttpRequest): Promise<HttpResponse> => {
  const { timeoutMs } = request;
  const overdue = AbortSignal.timeout(Math.ceil(timeoutMs) + graceMs);
  const sending = (async () => host.send(request))();
  return unlessAborted(sending, overdue, () => timeoutError(timeoutMs));
};

/** The result of `work`, or the given error if `signal` aborts first. */
export const unlessAborted = <Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  error: () => unknown = () => signal && abortedError(signal),
): Promise<Result> => {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(error());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const leave = () => signal.removeEventListener('abort', onAbort);
    work.then(resolve, reject).then(leave);
  });
};
