import type { MockServer } from '@order-license/mock-api';
import { plantedKey } from '@order-license/testing/canary';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { inFakeTime, passMinute } from '../servers/fake-time.ts';
import type { NodeFailure } from '../servers/n8n-error.ts';
import { orderLicenseTrigger, prepare } from '../servers/n8n-pack.ts';
import { readNodeError } from './n8n-node.ts';
import type { Subject, SubjectOptions } from './subject.ts';
import { wordsOf } from './words.ts';

const mostPolls = 8;

/** The trigger of the built pack: what happens at the service is told exactly once, whatever is in the way. */
export const openN8nTrigger = async (service: MockServer, { canary }: SubjectOptions): Promise<Subject> => {
  /** One poll, a minute after the last; the events that it told, by their ids. */
  const poll = async (staticData: IDataObject, hasty = false): Promise<string[]> => {
    const execution = prepare({
      node: orderLicenseTrigger,
      credential: { baseUrl: service.baseUrl, apiKey: plantedKey },
      parameters: { events: ['newOrder', 'statusChanged', 'licenseCodesAvailable'] },
      staticData,
    });
    try {
      passMinute();
      const told = await inFakeTime(
        () => orderLicenseTrigger.poll?.call(execution.context as unknown as IPollFunctions),
        hasty,
      );
      const items: INodeExecutionData[] = (told ?? []).flat();
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
      // Time leaps from timer to timer: where the first connection opens slowly, the time of the first poll is over.
      const told = await poll(staticData).catch((error: unknown) => {
        if (polls > 0) throw error;
        return [];
      });
      if (told.length > 0) throw new Error('The first polls told something.');
    }
    return staticData;
  };
  const atStart = await start();

  /** What happens at the service before the poll in which the fault strikes, as ids of events. */
  const happen = (): string[] => {
    const created_at = '2030-01-02 00:00:00';
    const first = service.state.insertOrder('business', { status: 'bezahlt', created_at, items: [{ menge: 2 }] });
    const second = service.state.insertOrder('business', { status: 'ausstehend', created_at, items: [{ menge: 1 }] });
    const pending = service.state
      .orders('business')
      .page(0, 100, 'ausstehend')
      .find(({ id }) => id !== second.id);
    if (!pending) throw new Error('There is no pending order.');
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
      'Two orders come in, one with two license codes, and a third is cancelled; then the fault strikes in one poll, from its first request or from its second, and is gone at the next. All five events have been told exactly once after at most eight polls, or the test fails. “Told” is the poll that told the last of them.',
    columns: {
      once: 'once',
      always: 'all through a poll',
      onceUnderWay: 'once in mid-poll',
      alwaysUnderWay: 'for the rest of a poll',
    },
    async run(rule) {
      const staticData = structuredClone(atStart);
      service.reset();
      prepareService(service);
      const wanted = happen();
      const told: string[] = [];
      let outcome: { text: string; words?: string } | undefined;
      service.faults.add(rule);
      for (let polls = 1; polls <= mostPolls; polls++) {
        try {
          told.push(...(await poll(staticData, rule.kind === 'hang')));
        } catch (error) {
          const failed = readNodeError(error as NodeFailure);
          if (!failed || polls > 1) throw error;
          outcome = { text: `\`${failed.code}\``, words: wordsOf(failed) };
        }
        service.faults.clear();
        if (told.length < wanted.length) continue;
        const when = polls === 1 ? 'told at once' : `told at poll ${polls}`;
        outcome = outcome ? { ...outcome, text: `${outcome.text}, ${when}` } : { text: when };
        break;
      }
      told.push(...(await poll(staticData)));
      if (told.toSorted().join() !== wanted.toSorted().join()) throw new Error(`It told ${told}, not ${wanted}.`);
      return outcome ?? { text: '' };
    },
    close: async () => undefined,
  };
};

/** Small pages, so that a poll reads more than one. */
export const prepareService = (service: MockServer): void => {
  service.set({ perPageMax: 7, errorText: `refused: ${plantedKey}` });
};
