import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const mockFile = fileURLToPath(new URL('../packages/mock-api/src/cli/cli.ts', import.meta.url));

export interface MockProcess {
  baseUrl: string;
  apiKey: string;
  stop(): void;
}

/** Starts the mock in its own process, so that its CPU time and memory are not counted here. */
export const startMock = async (...flags: string[]): Promise<MockProcess> => {
  const child = spawn(process.execPath, [mockFile, '--json', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { baseUrl, keys } = JSON.parse(String(line)) as { baseUrl: string; keys: { business: string } };
  return { baseUrl, apiKey: keys.business, stop: () => child.kill() };
};
