import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { appCapabilities, startSession } from '../testing/mcp-session.fixture.ts';
import { readCard } from './order-card.ts';

const hashOf = (text = ''): string => createHash('sha256').update(text).digest('base64');

test("the order card's policy allows only its own script and style", async () => {
  const { contents } = await readCard();
  const [{ text: card = '' } = {}] = contents as { text?: string }[];
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(card) ?? [];
  const [, style, ...styles] = card.split(/<\/?style>/);
  const [, script, ...scripts] = card.split(/<script type="module">|<\/script>/);
  expect([styles, scripts]).toMatchObject({ 0: { length: 1 }, 1: { length: 1 } });
  expect(policy).toBe(
    `default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(style)}'; base-uri 'none'; form-action 'none'`,
  );
  expect(card).not.toMatch(
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|fetch\(|XMLHttp|src="|href="/,
  );
  const { client } = await startSession({
    env: { ORDER_LICENSE_LICENSE_KEYS: 'app' },
    capabilities: appCapabilities,
  });
  const built = await client.readResource({ uri: 'ui://order-license/order-card.html' });
  expect(built.contents).toEqual(contents);
});
