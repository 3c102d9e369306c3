import { expect, test } from 'vitest';
import { parseSettings } from './settings.ts';

const good = {
  publicUrl: 'https://mcp.example.com',
  issuer: 'https://id.example.com/',
  subjects: { alice: true, bob: 'key-of-bob' },
};

test('audience and scope have defaults, and the issuer is used as written', () => {
  expect(parseSettings(JSON.stringify(good), true)).toEqual({
    publicUrl: 'https://mcp.example.com',
    issuer: 'https://id.example.com/',
    audience: 'https://mcp.example.com/mcp',
    scope: 'orders:read',
    subjects: new Map([
      ['alice', undefined],
      ['bob', 'key-of-bob'],
    ]),
  });
});

test.each([
  ['https://MCP.example.com:443/', 'https://mcp.example.com'],
  ['https://Example.com/Tools/orders//', 'https://example.com/Tools/orders'],
  ['https://example.com/a b?', 'https://example.com/a%20b'],
])('the public address %s may have a path, which is part of the resource', (publicUrl, normal) => {
  expect(parseSettings(JSON.stringify({ ...good, publicUrl }), true)).toMatchObject({
    publicUrl: normal,
    audience: `${normal}/mcp`,
  });
});

test.each([
  { audience: 'api://orders', scope: 'read' },
  { audience: ['api://orders', 'https://old.example.com/mcp'] },
  { publicUrl: 'http://127.0.0.1:3000', issuer: 'http://localhost:4000' },
])('accepts %j as written, even after a byte order mark', (members) => {
  expect(parseSettings(`\ufeff${JSON.stringify({ ...good, ...members })}`, true)).toMatchObject(members);
});

const withMcp = /sets `publicUrl` to a URL that ends in \/mcp, which the server adds/;
const httpAddress = /sets `publicUrl` to an http address, which is allowed only on this machine/;
const withMore = (name: string) => new RegExp(`sets \`${name}\` to a URL with a user name, a query or a fragment`);
const badAudience = /has an invalid `audience`\. Use a string without spaces around it, or a list of such strings/;
const noSubjects = /has no `subjects`, so nobody can use the server/;
const notAKey = /sets a subject to something other than an API key or true \(entry 1 of `subjects`\)\./;

test.each<[object, RegExp]>([
  [{ publicUrl: undefined }, /has no `publicUrl`\. Use an address such as/],
  [{ publicUrl: 'https://mcp.example.com/mcp' }, withMcp],
  [{ publicUrl: 'https://example.com/orders/mcp/' }, withMcp],
  [{ publicUrl: 'mcp.example.com' }, /sets `publicUrl` to something that is not a URL/],
  [{ publicUrl: 7 }, /has an unusable `publicUrl`\. Use an address/],
  [{ publicUrl: 'http://mcp.example.com' }, httpAddress],
  [{ publicUrl: 'https://canary@mcp.example.com' }, withMore('publicUrl')],
  [{ issuer: undefined }, /has no `issuer`\. Use an address such as/],
  [{ issuer: 'ftp://id.example.com' }, /sets `issuer` to something that is not a URL/],
  [{ issuer: ' https://id.example.com' }, /sets `issuer` to something that is not a URL/],
  [{ issuer: 'http://id.example.com' }, /sets `issuer` to an http address/],
  [{ issuer: 'https://id.example.com/?tenant=canary' }, withMore('issuer')],
  [{ audience: '' }, badAudience],
  [{ audience: 7 }, badAudience],
  [{ audience: [] }, badAudience],
  [{ audience: ['canary', ' '] }, badAudience],
  [{ scope: 'orders:read profile' }, /has a `scope` that is not a single word/],
  [{ scope: 'canary"' }, /has a `scope` that is not a single word/],
  [{ subjects: undefined }, noSubjects],
  [{ subjects: {} }, noSubjects],
  [{ subjects: ['canary'] }, noSubjects],
  [{ subjects: { alice: 'key', 42: false } }, notAKey],
  [{ subjects: { canary: 'canary key' } }, /entry 1 of `subjects`: The API key contains a space.*without quotes\.$/],
  [{ subjects: { canary: '' } }, /entry 1 of `subjects`: The API key is missing/],
  [
    { subjects: { canary: 'AN-API-KEY-FOR-THIS-PERSON' } },
    /entry 1 of `subjects`: This is the key from a sample configuration/,
  ],
  [{ subjects: { canary: 'true' } }, /entry 1 of `subjects`: This is the key from a sample configuration/],
  [{ subjects: { ' ': 'canary' } }, /has a subject that is empty or has spaces around it \(entry 1 of `subjects`\)/],
  [{ canary: 'canary' }, /has an unknown member\. The valid members are publicUrl, issuer, audience/],
])('rejects %o with a reason that does not quote it', (change, sentence) => {
  const parse = () => parseSettings(JSON.stringify({ ...good, ...change }, null, 2), true);
  expect(parse).toThrow(sentence);
  expect(parse).toThrow(/^The file named in ORDER_LICENSE_OAUTH\b/);
  expect(parse).not.toThrow(/canary/);
});

test('a subject set to true needs a server key', () => {
  expect(() => parseSettings(JSON.stringify(good), false)).toThrow(
    /sets a subject to true \(entry 1 of `subjects`\), but this server has no API key\. Set ORDER_LICENSE_API_KEY/,
  );
});

test.each([
  '"alice": true,\n  "bob": "bobs-key",\n  "alice": "canary"',
  '"anna": "canary", "\\u0061nna": true',
  '"x": true }, "subjects": { "y": "canary"',
])('rejects a file in which a name occurs twice: %j', (subjects) => {
  const text = `{ "publicUrl": "https://mcp.example.com", "issuer": "https://id.example.com",
  "subjects": {\n  ${subjects} } }`;
  const sentence = /contains a member or a subject twice\. Remove the duplicate\.$/;
  expect(() => parseSettings(text, true)).toThrow(sentence);
  expect(() => parseSettings(text, true)).not.toThrow(/canary|alice|anna/);
});

test.each([
  ['{\n  "subjects": { "alice": "canary" "bob": true }\n}', /is not JSON \(line 2 column 35\)\.$/],
  ['{\n  "subjects": { "alice": canary }\n}', /is not JSON\b/],
  ['', /is not JSON\b/],
  ['[]', /is not a JSON object\.$/],
])('rejects broken JSON %j without quoting it', (text, sentence) => {
  expect(() => parseSettings(text, true)).toThrow(sentence);
  expect(() => parseSettings(text, true)).not.toThrow(/canary/);
});

test('accepts a name that occurs in different objects, and colons and quotes in strings', () => {
  const subjects = { 'a":"b': true, scope: 'key:one', '"issuer":': true };
  expect(parseSettings(JSON.stringify({ ...good, subjects }), true).subjects.size).toBe(3);
});
