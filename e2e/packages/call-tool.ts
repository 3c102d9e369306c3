import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface Answer {
  id?: number;
  result?: Record<string, unknown>;
}

const start = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'packages', version: '1.0.0' } };

/** Starts a server, calls one of its tools over stdio in plain JSON lines, and ends it by closing its stdin. */
export const callTool = async (
  node: string,
  script: string,
  env: Record<string, string>,
  tool: string,
): Promise<{ result: Record<string, unknown> | undefined; exitCode: number | null; stderr: string }> => {
  const child = spawn(node, [script], { env: { ...process.env, ...env }, stdio: 'pipe' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const exited = once(child, 'exit');
  const say = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  say({ id: 1, method: 'initialize', params: start });
  let result: Record<string, unknown> | undefined;
  for await (const line of createInterface(child.stdout)) {
    const answer = JSON.parse(line) as Answer;
    if (answer.id === 1) {
      say({ method: 'notifications/initialized' });
      say({ id: 2, method: 'tools/call', params: { name: tool, arguments: {} } });
    }
    if (answer.id === 2) {
      result = answer.result;
      child.stdin.end();
    }
  }
  const [exitCode] = await exited;
  return { result, exitCode, stderr };
};
