import { expect, test } from 'vitest';
import { run } from './cli/run.ts';
import { rejectOldNode } from './node-version.ts';

test.each(['22.18.0', '20.20.2', '9.0.0'])('the error for Node.js %s names it and the minimum version', (version) => {
  expect(() => rejectOldNode(version)).toThrow(`Node.js 22.19 or newer is needed; this is ${version}.`);
});

test.each(['22.19.0', '22.100.0', '24.0.0', undefined])('the Node.js version %s is accepted', (version) => {
  expect(() => rejectOldNode(version)).not.toThrow();
});

test.each([[[]], [['probe', '--dry-run']]])(
  'with the arguments %j, the command exits with code 2 on an old Node.js version',
  async (args) => {
    const written = { out: '', err: '' };
    const terminal = {
      stdout: { write: (text: string) => (written.out += text) },
      stderr: { write: (text: string) => (written.err += text) },
      once: () => {},
    };
    expect(await run(args, terminal, '20.20.2')).toBe(2);
    expect(written).toEqual({
      out: '',
      err: 'order-license-mock: Node.js 22.19 or newer is needed; this is 20.20.2.\n',
    });
  },
);
