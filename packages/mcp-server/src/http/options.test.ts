// biome-ignore-all lint/suspicious/noTemplateCurlyInString: unfilled placeholders
import { expect, test } from 'vitest';
import { readHttpOptions } from './options.ts';

test.each([
  [['--host', '0.0.0.0'], {}, /Set ORDER_LICENSE_ACCESS_TOKEN/],
  [['--port', '70000'], {}, /--port/],
  [['--host', ''], { ORDER_LICENSE_ACCESS_TOKEN: 'canary-of-a-long-token' }, /^--host is empty/],
  [['--prot', '1'], {}, /`http` accepts/],
  [['--max-per-caller', '0'], {}, /--max-per-caller must be a whole number from 1 to 32/],
  [['--max-per-caller', '33'], {}, /--max-per-caller/],
  [['canary'], {}, /`http` accepts/],
  ...['app', 'app.example:443', 'null', '*', 'file:///app', 'chrome-extension:', 'data:,x'].map(
    (origin): [string[], object, RegExp] => [
      ['--allow-origin', origin],
      {},
      /^--allow-origin must be an origin such as/,
    ],
  ),
  [['--allow-host', 'https://canary.example'], {}, /--allow-host must be one host name/],
  [['--allow-host', 'canary.example:3000'], {}, /--allow-host must be one host name/],
  [['--allow-host', '*'], {}, /without .* wildcard.*Repeat --allow-host for each name/],
  [['--allow-host', '*.canary.example'], {}, /without .* wildcard/],
  [[], { ORDER_LICENSE_API_KEY: '${canary}' }, /^ORDER_LICENSE_API_KEY holds a placeholder/],
  [['--open'], { ORDER_LICENSE_STORE: 'redis://:100%canary@cache' }, /^ORDER_LICENSE_STORE: .* Percent-encode special/],
  [[], { ORDER_LICENSE_ACCESS_TOKEN: 'canary' }, /at least 16 visible ASCII characters/],
  [[], { ORDER_LICENSE_API_KEY: 'canary key' }, /API key contains a space/],
  [['--allow-host', 'mcp.example'], {}, /^--allow-host lets .* Set ORDER_LICENSE_ACCESS_TOKEN/],
  [[], {}, /^Callers need a token or sign-in\. Set ORDER_LICENSE_ACCESS_TOKEN .* use --open instead, .* proxy/],
  [['--open', '--host', '0.0.0.0'], {}, /^--host lets other machines in/],
  [['--open', '--allow-host', 'mcp.example'], {}, /^--allow-host lets other machines in/],
  [['--open'], { ORDER_LICENSE_ACCESS_TOKEN: 'canary-of-a-long-token' }, /^--open allows callers .* is set/],
  [['--allow-host', 'localhost', '--allow-host', '127.0.0.1.example'], {}, /^--allow-host lets/],
  [[], { ORDER_LICENSE_ACCESS_TOKEN: '' }, /^ORDER_LICENSE_ACCESS_TOKEN is empty\./],
  [[], { ORDER_LICENSE_ACCESS_TOKEN: 'Bearer-${canary_token}' }, /^ORDER_LICENSE_ACCESS_TOKEN holds a p/],
  [[], { ORDER_LICENSE_ACCESS_TOKEN: '$canary_token_of_a_shell' }, /^ORDER_LICENSE_ACCESS_TOKEN holds a p/],
])('says what is wrong in the arguments %o and the variables %o', (flags, env, sentence) => {
  const base = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1' };
  expect(() => readHttpOptions(flags, { ...base, ...env })).toThrow(sentence);
  expect(() => readHttpOptions(flags, { ...base, ...env })).not.toThrow(/canary/);
});

test('local host names need no token, but any other name does', () => {
  const env = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1' };
  for (const name of ['localhost', '127.0.0.2', '[::1]']) {
    expect(readHttpOptions(['--open', '--allow-host', name], env).allowedHosts).toContain(name);
  }
  const token = '$3cret%token{of}this(server)';
  expect(readHttpOptions(['--allow-host', 'mcp.example'], { ...env, ORDER_LICENSE_ACCESS_TOKEN: token })).toMatchObject(
    { accessToken: token, allowedHosts: expect.arrayContaining(['mcp.example']) },
  );
});
