import { expect, test } from 'vitest';
import { readHttpOptions } from './options.ts';

test.each([
  [['--host', '0.0.0.0'], {}, /set ORDER_LICENSE_ACCESS_TOKEN/],
  [['--port', '70000'], {}, /--port/],
  [['--prot', '1'], {}, /`http` takes/],
  [['canary'], {}, /`http` takes/],
  [['--allow-origin', 'app'], {}, /--allow-origin/],
  [['--allow-host', 'https://canary.example'], {}, /--allow-host has to be a name/],
  [['--allow-host', 'canary.example:3000'], {}, /--allow-host has to be a name/],
  [[], { ORDER_LICENSE_ACCESS_TOKEN: 'canary' }, /at least 16 characters/],
  [[], { ORDER_LICENSE_API_KEY: 'canary key' }, /API key holds a space/],
])('wrong options %o %o are named', (flags, env, sentence) => {
  const base = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1' };
  expect(() => readHttpOptions(flags, { ...base, ...env })).toThrow(sentence);
  expect(() => readHttpOptions(flags, { ...base, ...env })).not.toThrow(/canary/);
});
