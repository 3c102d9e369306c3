import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeSignInFile } from '../testing/issuer.fixture.ts';
import { openSettingsFile } from './settings-file.ts';

const good = { publicUrl: 'https://mcp.example.com', issuer: 'https://id.example.com', subjects: { alice: 'key-1' } };
const hasModes = process.platform !== 'win32';

const open = (path: string) => {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  const file = openSettingsFile(path, true, 5);
  onTestFinished(() => {
    file.close();
    spy.mockRestore();
  });
  return { file, lines };
};

test.runIf(hasModes).each(['604', '660', '644', '450'])('rejects a file with mode %s', (mode) => {
  const path = writeSignInFile(good);
  chmodSync(path, mode);
  expect(() => openSettingsFile(path, true)).toThrow(
    /can be read or changed by users other than its owner and group\. Run chmod 600/,
  );
});

test.runIf(hasModes).each(['400', '440', '640'])('accepts a file with mode %s', (mode) => {
  const path = writeSignInFile(good);
  chmodSync(path, mode);
  expect(open(path).file.current().subjects.get('alice')).toBe('key-1');
});

test('reports a missing file by its error code', () => {
  expect(() => openSettingsFile('/nowhere/oauth.json', true)).toThrow(/cannot be read \(ENOENT\)\. Check the path/);
});

test('applies a change, and logs it without subjects or keys', async () => {
  const path = writeSignInFile(good);
  const { file, lines } = open(path);
  writeFileSync(path, JSON.stringify({ ...good, subjects: { bob: 'canary-key', carol: true } }));
  await vi.waitUntil(() => file.current().subjects.has('bob'));
  expect([...file.current().subjects.keys()]).toEqual(['bob', 'carol']);
  expect(lines).toEqual(['order-license-mcp: The file named in ORDER_LICENSE_OAUTH was reloaded; subjects: 2.\n']);
});

test('a list of audiences that stays the same does not prevent a change of subjects', async () => {
  const path = writeSignInFile({ ...good, audience: ['one', 'two'] });
  const { file } = open(path);
  writeFileSync(path, JSON.stringify({ ...good, audience: ['one', 'two'], subjects: { bob: true } }));
  await vi.waitUntil(() => file.current().subjects.has('bob'));
});

test('uses a file that replaces the old one', async () => {
  const path = writeSignInFile(good);
  const { file } = open(path);
  writeFileSync(`${path}.new`, JSON.stringify({ ...good, subjects: { dave: true } }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  await vi.waitUntil(() => file.current().subjects.has('dave'));
});

test.each<[string, (path: string) => void, RegExp]>([
  ['broken JSON', (path) => writeFileSync(path, '{ "subjects": canary'), /is not JSON/],
  [
    'a wrong member',
    (path) => writeFileSync(path, JSON.stringify({ ...good, subjects: { canary: 7 } })),
    /sets a subject to something other than an API key or true \(entry 1 of `subjects`\)/,
  ],
  [
    'another issuer',
    (path) => writeFileSync(path, JSON.stringify({ ...good, issuer: 'https://other.example', subjects: { x: true } })),
    /has changes outside `subjects`\. Restart the server/,
  ],
  [
    'another list of audiences',
    (path) => writeFileSync(path, JSON.stringify({ ...good, audience: ['one'], subjects: { x: true } })),
    /has changes outside `subjects`/,
  ],
  [
    'a second entry for a subject',
    (path) => writeFileSync(path, JSON.stringify(good).replace('{"alice"', '{"alice":true,"alice"')),
    /contains a member or a subject twice/,
  ],
  ['no file', (path) => rmSync(path), /cannot be read \(ENOENT\)/],
  [
    'a folder that cannot be read',
    (path) => {
      // Replaces the folder with a file, so that reading fails as it does without permission. The test does not change
      // permissions, because root could still read the file.
      renameSync(dirname(path), `${dirname(path)}.old`);
      onTestFinished(() => renameSync(`${dirname(path)}.old`, dirname(path)));
      writeFileSync(dirname(path), '');
      onTestFinished(() => rmSync(dirname(path)));
    },
    /cannot be read \(ENOTDIR\)/,
  ],
  ...(hasModes
    ? [['a mode that lets other users read the file', (path: string) => chmodSync(path, 0o644), /chmod 600/] as const]
    : []),
] as [string, (path: string) => void, RegExp][])(
  'after a change to %s, keeps the old settings and logs the problem',
  async (_name, change, why) => {
    const path = writeSignInFile(good);
    const { file, lines } = open(path);
    change(path);
    await vi.waitUntil(() => lines.length > 0);
    expect(lines[0]).toMatch(
      /^order-license-mcp: SIGN-IN STILL USES THE OLD FILE; subjects: 1\. The file named in ORDER_LICENSE_OAUTH /,
    );
    expect(lines[0]).toMatch(why);
    expect(lines[0]).not.toContain('canary');
    expect([...file.current().subjects]).toEqual([['alice', 'key-1']]);
  },
);

test('reads the new file when Kubernetes updates a mounted Secret by replacing a symbolic link', async () => {
  const path = writeSignInFile(good, 0o440);
  const folder = dirname(path);
  const put = (version: string, subjects: object) => {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'oauth.json'), JSON.stringify({ ...good, subjects }), { mode: 0o440 });
    symlinkSync(version, join(folder, '..data.new'));
    renameSync(join(folder, '..data.new'), join(folder, '..data'));
  };
  put('..1', { alice: true, bob: true });
  rmSync(path);
  symlinkSync('..data/oauth.json', path);
  const { file } = open(path);
  put('..2', { bob: true });
  await vi.waitUntil(() => !file.current().subjects.has('alice'));
});
