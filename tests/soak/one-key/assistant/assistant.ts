import type { Mock } from '@order-license/mock-api';
import type { Network } from '../network.ts';
import type { Shop } from '../shop.ts';
import { minuteMs, sleep } from '../virtual-day.ts';
import { startAssistant } from './assistant-process.ts';
import { questions, WrongAnswer } from './questions.ts';

/** What a person with an assistant experienced. */
export interface AssistantReport {
  /** Duration of each call, ms, including rejected calls; Infinity if the MCP client gave up. */
  callMs: number[];
  /** Time from each question to its complete answer, ms. */
  questions: number[];
  /** The errors found in answers, at any time. */
  wrong: string[];
  /** The reasons why questions got no answer while everything was up. */
  failures: string[];
}

export const newAssistantReport = (): AssistantReport => ({
  callMs: [],
  questions: [],
  wrong: [],
  failures: [],
});

interface Desk {
  network: Network;
  requestsPerMinute: number;
  mock: Mock;
  shop: Shop;
  /** Whether everything has been up since `from`. */
  wasUp(from: number): boolean;
  report: AssistantReport;
  random(): number;
  until: number;
}

/** Simulates a person who asks an assistant a few questions in a row, and then none for several minutes. */
export const askNow = async (desk: Desk): Promise<void> => {
  const { network, requestsPerMinute, mock, shop, wasUp, report, random, until } = desk;
  const assistant = await startAssistant(network, requestsPerMinute, report.callMs);
  const ask = async (): Promise<void> => {
    const question = questions[Math.floor(random() * questions.length)];
    const from = Date.now();
    try {
      await question?.({ assistant, mock, shop, random, wasUp: () => wasUp(from) });
      report.questions.push(Date.now() - from);
    } catch (error) {
      if (error instanceof WrongAnswer) report.wrong.push(error.message);
      else if (wasUp(from)) report.failures.push(`assistant: ${(error as Error).message}`);
    }
  };
  for (;;) {
    await sleep((2 + random() * 13) * minuteMs);
    for (let left = 1 + Math.floor(random() * 6); left > 0; left--) {
      if (Date.now() > until) return assistant.close();
      await ask();
      await sleep(3_000 + random() * 30_000);
    }
  }
};
