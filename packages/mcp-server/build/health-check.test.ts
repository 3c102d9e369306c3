import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';

const dockerfile = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8');
const [, check = ''] = /HEALTHCHECK [^\n]*\\\n {2}CMD ([\s\S]*?)\n(?=[A-Z])/.exec(dockerfile) ?? [];

/**
 * Returns the URL that the image's health check requests if the server runs with these arguments; empty if it sends no
 * request.
 */
const asked = (...args: string[]): string => {
  const cmdline = join(temporaryFolder(), 'cmdline');
  writeFileSync(cmdline, ['node', 'dist/cli.js', ...args, ''].join('\0'));
  const script = `wget() { echo "$4"; }\n${check.replaceAll('\\\n', '').replace('/proc/1/cmdline', cmdline)}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trim();
};

test.skipIf(process.platform === 'win32')(
  "the image's health check sends a request to the address of the HTTP server, or none if the server uses stdio",
  () => {
    expect(asked()).toBe('');
    expect(asked('http')).toBe('http://127.0.0.1:3000/healthz');
    expect(asked('http', '--host', '0.0.0.0')).toBe('http://0.0.0.0:3000/healthz');
    expect(asked('http', '--host=10.0.0.7', '--port', '80')).toBe('http://10.0.0.7:80/healthz');
    expect(asked('http', '--host', '::')).toBe('http://[::]:3000/healthz');
    expect(asked('http', '--host', 'one', '--host', 'mcp.internal')).toBe('http://mcp.internal:3000/healthz');
    expect(asked('http', '--allow-host', 'mcp.example')).toBe('http://127.0.0.1:3000/healthz');
    expect(asked('http', '--port', '8080')).toBe('http://127.0.0.1:8080/healthz');
    expect(asked('http', '--port=8081', '--host', '0.0.0.0')).toBe('http://0.0.0.0:8081/healthz');
  },
);
