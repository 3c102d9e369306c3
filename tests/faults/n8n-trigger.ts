import type { MockServer } from '@order-license/mock-api';
import { plantedKey } from '@order-license/testing/canary';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { inFakeTime, passMinute } from '../servers/fake-time.ts';
import { detailsOfNodeError, type NodeFailure } from '../servers/n8n-error.ts';
import { orderLicenseTrigger, prepare } from '../servers/n8n-pack.ts';
import type { Subject, SubjectOptions } from './subject.ts';

const mostPolls = 8;

/** The built pack's trigger, which must emit every event exactly once, whatever fails. */
export const openN8nTrigger = async (service: MockServer, { canary }: SubjectOptions): Promise<Subject> => {
  let runs = 0;
  /** Polls once, a minute after the last poll; returns the IDs of the events that it emitted. */
  const poll = async (staticData: IDataObject, hasty = false): Promise<string[]> => {
    const execution = prepare({
      node: orderLicenseTrigger,
      credential: { baseUrl: service.baseUrl, apiKey: plantedKey },
      parameters: { events: ['newOrder', 'statusChanged', 'licenseCodeAvailable'] },
      staticData,
      // For each workflow ID, the trigger keeps a newer state in memory than n8n stores. With a new ID, a run does not
      // continue from the previous run's state.
      workflowId: `run-${runs}`,
    });
    try {
      passMinute();
      const emitted = await inFakeTime(
        () => orderLicenseTrigger.poll?.call(execution.context as unknown as IPollFunctions),
        hasty,
      );
      const items: INodeExecutionData[] = (emitted ?? []).flat();
      canary.answer(items);
      return items.map(({ json }) => String(json.eventId));
    } catch (error) {
      canary.other(error);
      throw error;
    } finally {
      canary.other([execution.logs, execution.hints, staticData]);
    }
  };

  const start = async (): Promise<IDataObject> => {
    const staticData: IDataObject = {};
    for (let polls = 0; polls < mostPolls; polls++) {
      // Virtual time jumps to the next timer, so the first poll can time out while its first connection is still
      // opening.
      const emitted = await poll(staticData).catch((error: unknown) => {
        if (polls > 0) throw error;
        return [];
      });
      if (emitted.length > 0) throw new Error('The first polls emitted an event.');
    }
    return staticData;
  };
  const atStart = await start();

  /** Changes orders before the poll with the fault; returns the IDs of the expected events. */
  const happen = (): string[] => {
    const created_at = '2030-01-02 00:00:00';
    const first = service.state.insertOrder('business', { status: 'bezahlt', created_at, items: [{ menge: 2 }] });
    const second = service.state.insertOrder('business', { status: 'ausstehend', created_at, items: [{ menge: 1 }] });
    const pending = service.state
      .orders('business')
      .page(0, 100, 'ausstehend')
      .find(({ id }) => id !== second.id);
    if (!pending) throw new Error('No order is pending.');
    service.state.setStatus(pending.id, 'storniert');
    const line = first.id * 64;
    return [
      `new-order:${first.id}`,
      `new-order:${second.id}`,
      `status:${pending.id}:storniert`,
      `license-code:${first.id}:${line}:${first.id * 1024}`,
      `license-code:${first.id}:${line}:${first.id * 1024 + 1}`,
    ];
  };

  return {
    title: 'The n8n trigger',
    about:
      'Two orders arrive, one of them with two license codes, and a third order is cancelled. The fault occurs in the next poll, from its first or second request on, and is gone in the poll after that. The test fails unless all five events are emitted exactly once within eight polls. “Emitted” names the poll that emitted the last event; “at once” means the poll with the fault.',
    columns: {
      once: 'once',
      always: 'throughout a poll',
      onceUnderWay: 'once during a poll',
      alwaysUnderWay: 'for the rest of a poll',
    },
    async run(rule) {
      const staticData = structuredClone(atStart);
      runs += 1;
      service.reset();
      prepareService(service);
      // The first poll of a process has its own time limit, so it runs before the fault.
      if ((await poll(staticData)).length > 0) throw new Error('It emitted an event before there was one.');
      const wanted = happen();
      const emitted: string[] = [];
      const told: string[] = [];
      service.faults.add(rule);
      for (let polls = 1; polls <= mostPolls; polls++) {
        try {
          emitted.push(...(await poll(staticData, rule.kind === 'hang')));
        } catch (error) {
          const failed = detailsOfNodeError(error as NodeFailure);
          if (!failed || polls > 1) throw error;
          told.push(`\`${failed.code}\``);
        }
        service.faults.clear();
        if (emitted.length < wanted.length) continue;
        told.push(polls === 1 ? 'emitted at once' : `emitted at poll ${polls}`);
        break;
      }
      emitted.push(...(await poll(staticData)));
      if (emitted.toSorted().join() !== wanted.toSorted().join())
        throw new Error(`It emitted ${emitted}, not ${wanted}.`);
      return told.join(', ');
    },
  };
};

/** Configures pages that are so small that a poll reads several. */
export const prepareService = (service: MockServer): void => {
  service.set({ perPageMax: 7, errorText: `rejected: ${plantedKey}` });
};
