import { spawn } from 'node:child_process';
import { once } from 'node:events';

const timeoutMs = 30_000;

/**
 * Runs a command without input until it ends. With `serves`, ends the command when it prints something on stdout.
 * @returns the problem in one line; an empty string if there is none
 */
export const runCommand = async (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { serves = false, cwd }: { serves?: boolean; cwd?: string } = {},
): Promise<string> => {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let spoke = false;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
    if (!serves || spoke) return;
    spoke = true;
    child.kill('SIGTERM');
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const [exitCode, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (exitCode === 0) return serves && !spoke ? 'it exited without output on stdout' : '';
  const how = exitCode === null ? `${signal} terminated it` : `it exited with code ${exitCode}`;
  return `${how}: ${/^[^\w\n]*\w*Error\b.*$/m.exec(printed)?.[0].trim() ?? printed.trim().split('\n').at(-1)}`;
};
