import type { CallOptions } from '../base/call-options.ts';
import { checkNumber } from '../base/check-number.ts';
import {
  abortedError,
  closedError,
  isOrderLicenseError,
  isRateLimitError,
  type OrderLicenseError,
  RateLimitError,
} from '../base/errors.ts';
import { connectionError } from '../base/host-errors.ts';
import { tracedFromHere } from '../base/point-at-caller.ts';
import type { Pacer } from '../pace/pacer.ts';
import type { PermitRequest, Wait } from '../pace/permit-request.ts';
import { maxFlightMs, type Permit } from '../pace/store.ts';
import { attempt } from './attempt.ts';
import type { CallDefaults, CallerOptions } from './caller-options.ts';
import { checkConsumer, checkPriority } from './check-priority.ts';
import type { Operation } from './operations.ts';
import { delayBeforeRetry } from './retry.ts';

const none: readonly OrderLicenseError[] = [];

/**
 * One call, from the queue to its answer. A class, since thousands may wait: this object is then the only memory of a
 * waiting call, without a suspended function or a closure.
 */
export class PendingCall<Answer> implements PermitRequest {
  readonly client: CallerOptions;
  readonly operation: Operation<Answer>;
  readonly signal: AbortSignal | undefined;
  readonly priority: PermitRequest['priority'];
  readonly useReserve: boolean;
  readonly consumer: unknown;
  readonly deadlineMs: number;
  readonly maxWaitMs: number;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly deadline: number;
  patientUntil = 0;
  queuedAt = 0;
  attempts = 0;
  apiKey = '';
  pacer: Pacer | undefined;
  private failed = none;
  private retryUntil: number | undefined;
  private takeTurn!: (call: this) => void;
  permit: Permit | undefined;
  /** Why the permit was refused. */
  refusal: unknown;

  /** @throws `bad_request` and `configuration` for invalid options */
  constructor(client: CallerOptions, operation: Operation<Answer>, options: CallOptions, defaults: CallDefaults) {
    this.client = client;
    this.operation = operation;
    this.signal = options.signal;
    this.useReserve = options.useReserve ?? false;
    this.priority = checkPriority(options.priority ?? defaults.priority, this.useReserve);
    this.consumer = checkConsumer(options.consumer) ?? defaults.consumer;
    this.deadlineMs = checkNumber('deadlineMs', options.deadlineMs ?? client.deadlineMs, 1, Infinity);
    this.maxWaitMs = checkNumber('maxWaitMs', options.maxWaitMs ?? client.maxWaitMs, 0, Infinity);
    this.timeoutMs = checkNumber('timeoutMs', options.timeoutMs ?? client.timeoutMs, 1, maxFlightMs);
    this.retries = checkNumber('retries', options.retries ?? client.retries, 0, 100);
    this.deadline = client.host.now() + this.deadlineMs;
  }

  get closing(): AbortSignal {
    return this.client.closing.signal;
  }

  /** Time left until the deadline. */
  leftMs(): number {
    return this.deadline - this.client.host.now();
  }

  /**
   * Gets a permit, sends the request and returns the answer.
   * @param delayMs wait before requesting the permit
   * @throws `configuration` synchronously once the client is closed
   */
  run(delayMs = 0): Promise<Answer> {
    this.client.closing.enter();
    const turn = new Promise<this>((takeTurn) => {
      this.takeTurn = takeTurn;
      this.acquire(delayMs).catch((error: unknown) => this.refuse(error));
    });
    // The pacer grants permits in its own async context. `then` returns to the caller's, which tracing relies on.
    return turn.then(goOn);
  }

  private async acquire(delayMs: number): Promise<void> {
    const { client, signal, closing } = this;
    if (delayMs > 0) await client.host.sleep(delayMs, signal ? AbortSignal.any([signal, closing]) : closing);
    const key = client.readApiKey(Math.min(this.timeoutMs, this.leftMs()), [signal, closing]);
    this.apiKey = typeof key === 'string' ? key : await key;
    this.pacer = client.pacerOf(this.apiKey);
    this.queuedAt = client.host.now();
    this.patientUntil = Math.min(this.queuedAt + this.maxWaitMs, this.deadline);
    this.pacer.acquire(this);
  }

  onWait(wait: Wait): void {
    const { client, operation, priority } = this;
    client.emit({ type: 'wait', operation: operation.name, priority, ...wait });
  }

  grant(permit: Permit): void {
    this.permit = permit;
    this.takeTurn(this);
  }

  refuse(error: unknown): void {
    this.permit = undefined;
    this.refusal = error;
    this.takeTurn(this);
  }

  /**
   * The delay before the next attempt, ms.
   * @throws the final error if there is no further attempt
   */
  delayAfter(thrown: unknown): number {
    const { client, attempts, operation } = this;
    const { name, orderId } = operation;
    const request = { attempts, operation: name, ...(orderId !== undefined && { orderId }) };
    const error = Object.assign(this.readError(thrown), request);
    const before = this.failed.at(-1);
    this.failed = [...this.failed, error];
    const delayMs = delayBeforeRetry(this.failed, { retries: this.retries, leftMs: this.retryMs(error) });
    if (delayMs === undefined || delayMs >= this.leftMs() || this.closing.aborted) {
      throw Object.assign(heldBack(error, before), request);
    }
    const { code, status, retryAfterMs } = error;
    if (retryAfterMs !== undefined && delayMs > this.maxWaitMs) throw error;
    client.emit({ type: 'retry', operation: name, attempt: attempts, delayMs, code, status });
    return delayMs;
  }

  /**
   * How long to retry, ms: a walk outlasts a restart of the service, but an interactive caller should not wait. Before
   * the first answer, a refused connection more likely means a wrong address.
   */
  private retryMs({ sent }: OrderLicenseError): number {
    const now = this.client.host.now();
    if (this.priority === 'interactive' || this.retries === 0) return 0;
    if (sent === false && !this.client.isReached) return 0;
    this.retryUntil ??= now + this.client.bulkRetryMs;
    return this.retryUntil - now;
  }

  /**
   * Converts anything thrown to an error of this library. An unknown error's message is dropped: it could contain the
   * key.
   */
  readError(thrown: unknown): OrderLicenseError {
    const known = isOrderLicenseError(thrown) ? thrown : undefined;
    if (this.signal?.aborted) return known?.code === 'aborted' ? known : abortedError(this.signal);
    if (this.closing.aborted && (!known || known.code === 'aborted')) return closedError();
    return known ?? connectionError();
  }
}

/** One function for all calls: a closure for each would stay in memory while it waits. */
const goOn = async <Answer>(call: PendingCall<Answer>): Promise<Answer> => {
  try {
    // Whatever refuses a permit runs outside the call. An abort can end thousands of calls at once, and has a cause.
    if (!call.permit) throw call.signal?.aborted ? call.refusal : tracedFromHere(call.refusal);
    return await attempt(call, call.permit);
  } catch (thrown) {
    return call.run(call.delayAfter(thrown));
  } finally {
    call.client.closing.leave();
  }
};

/** After a 429, a permit that comes too late is the service's delay, not the pacer's. */
const heldBack = (error: OrderLicenseError, before: OrderLicenseError | undefined): OrderLicenseError => {
  if (!isRateLimitError(error) || error.source === 'server' || !isRateLimitError(before)) return error;
  const { status, serverText } = before;
  return new RateLimitError('server', error.retryAfterMs, { status, serverText });
};
