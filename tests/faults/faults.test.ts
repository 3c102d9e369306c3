import { fileURLToPath } from 'node:url';
import { listen, type MockServer } from '@order-license/mock-api';
import { createCanary, plantedKey, plantedLicense } from '@order-license/testing/canary';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepPage } from '../../tools/conformance/pages.ts';
import { openCoreClient } from './core-client.ts';
import { type FaultCase, faultCases, type StrikeName, strikeNames, strikes } from './fault-cases.ts';
import { openMcpServer } from './mcp-server.ts';
import { openN8nNode } from './n8n-node.ts';
import { openN8nTrigger, prepareService } from './n8n-trigger.ts';
import { reliabilityPage } from './reliability-page.ts';
import type { Subject } from './subject.ts';

const canary = createCanary();
const results = new Map<Subject, Map<FaultCase, Record<StrikeName, string>>>();
const services: MockServer[] = [];
const subjects: Record<string, Subject> = {};

const serve = async (orders: number): Promise<MockServer> => {
  const service = await listen({
    limit: 'off',
    orders,
    keys: { business: plantedKey },
    licenseKeyPrefix: plantedLicense,
    // The most hostile message that an API could send.
    set: { errorText: `rejected: ${plantedKey}` },
  });
  services.push(service);
  return service;
};

beforeAll(async () => {
  const watched = await serve(14);
  prepareService(watched);
  Object.assign(subjects, {
    'the client': openCoreClient(await serve(130), { canary }),
    'the MCP server': await openMcpServer(await serve(130), { canary }),
    'the n8n node': openN8nNode(await serve(130), { canary }),
    'the n8n trigger': await openN8nTrigger(watched, { canary }),
  });
  for (const subject of Object.values(subjects)) results.set(subject, new Map());
});
afterAll(async () => {
  await Promise.all(Object.values(subjects).map((subject) => subject.close?.()));
  await Promise.all(services.map((service) => service.close()));
});

const names = ['the client', 'the MCP server', 'the n8n node', 'the n8n trigger'];

test.each(names.flatMap((name) => faultCases.map((fault) => [name, fault.label, fault] as const)))(
  '%s handles %s: nothing hangs, is lost or is reported twice [U-41 U-43 U-45 U-57 U-58]',
  async (name, _label, faultCase) => {
    const subject = subjects[name] as Subject;
    const byStrike = {} as Record<StrikeName, string>;
    for (const strike of strikeNames) {
      byStrike[strike] = await subject.run({ ...faultCase.fault, ...strikes[strike] }, strike);
    }
    results.get(subject)?.set(faultCase, byStrike);
  },
);

test('no output contains an API key, and only requested results contain license keys', () => {
  for (const { journal, state } of services) canary.other([journal.entries(), state.keys()]);
  const { characters, licensesInAnswers, leaks } = canary.search();
  expect(leaks).toEqual([]);
  expect(licensesInAnswers).toBe(true);
  expect(characters).toBeGreaterThan(1_000_000);
});

test('every part ran every case, so docs/reliability.md is complete', () => {
  for (const outcomes of results.values()) expect([...outcomes.keys()]).toEqual(faultCases);
  keepPage(fileURLToPath(new URL('../..', import.meta.url)), 'docs/reliability.md', reliabilityPage(results));
});
