import type { CallOptions } from '../base/call-options.ts';
import type { CallDefaults, CallerOptions } from './caller-options.ts';
import type { Operation } from './operations.ts';
import { PendingCall } from './pending-call.ts';

/** Sends one operation: permit, request, envelope, validation, and retries. */
export type Call = <Answer>(
  /** An error thrown here rejects the call. */
  operation: () => Operation<Answer>,
  options?: CallOptions,
  defaults?: CallDefaults,
) => Promise<Answer>;

export const createCall = (client: CallerOptions): Call => {
  const consumers = { getMe: Symbol(), listOrders: Symbol(), getOrder: Symbol() };

  // Not async: a suspended function would stay in memory while the call waits.
  return (makeOperation, options = {}, defaults) => {
    try {
      const operation = makeOperation();
      const consumer = consumers[operation.name];
      return new PendingCall(client, operation, options, { priority: 'interactive', consumer, ...defaults }).run();
    } catch (error) {
      return Promise.reject(error);
    }
  };
};
