import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeSignInFile } from '../testing/issuer.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';
import { openSettingsFile } from './settings-file.ts';

const good = { publicUrl: 'https://mcp.example.com', issuer: 'https://id.example.com', subjects: { alice: 'key-1' } };
const hasModes = process.platform !== 'win32';

/** Opens the file in virtual time: `look` lets the two seconds between two checks of the file pass. */
const open = (path: string) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines = watchStderr();
  const file = openSettingsFile(path, true);
  return { file, lines, look: () => void vi.advanceTimersByTime(2_000) };
};
const withSubjects = (subjects: object, more: object = {}) => JSON.stringify({ ...good, ...more, subjects });

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

test('applies a change within two seconds, and logs it without subjects or keys', () => {
  const path = writeSignInFile(good);
  const { file, lines, look } = open(path);
  writeFileSync(path, withSubjects({ bob: 'canary-key', carol: true }));
  vi.advanceTimersByTime(1_999);
  expect([...file.current().subjects.keys()]).toEqual(['alice']);
  look();
  look();
  expect([...file.current().subjects.keys()]).toEqual(['bob', 'carol']);
  expect(lines).toEqual(['order-license-mcp: The file named in ORDER_LICENSE_OAUTH was reloaded; subjects: 2.\n']);
  file.close();
  writeFileSync(path, withSubjects({ dave: true }));
  look();
  expect(file.current().subjects.has('dave')).toBe(false);
});

/** Replaces the folder with a file until the test ends. */
const replaceFolder = (path: string): void => {
  const folder = dirname(path);
  renameSync(folder, `${folder}.old`);
  onTestFinished(() => renameSync(`${folder}.old`, folder));
  writeFileSync(folder, '');
  onTestFinished(() => rmSync(folder));
};
const put = (text: string) => (path: string) => writeFileSync(path, text);
const twice = JSON.stringify(good).replace('{"alice"', '{"alice":true,"alice"');
const outside = /has changes outside `subjects`\. Restart the server/;

test.each<[string, (path: string) => void, RegExp]>([
  ['broken JSON', put('{ "subjects": canary'), /is not JSON/],
  ['a wrong member', put(withSubjects({ canary: 7 })), /to something other than an API key or true \(entry 1 of/],
  ['another issuer', put(withSubjects({ x: true }, { issuer: 'https://other.example' })), outside],
  ['another list of audiences', put(withSubjects({ x: true }, { audience: ['one'] })), outside],
  ['a second entry for a subject', put(twice), /contains a member or a subject twice/],
  ['no file', (path) => rmSync(path), /cannot be read \(ENOENT\)/],
  // As without permission. The test does not change permissions, because root could still read the file.
  ['a folder that cannot be read', replaceFolder, /cannot be read \(ENOTDIR\)/],
  ...(hasModes
    ? [['a mode that lets other users read the file', (path: string) => chmodSync(path, 0o644), /chmod 600/] as const]
    : []),
] as [string, (path: string) => void, RegExp][])(
  'after a change to %s, keeps the old settings and logs the problem',
  (_name, change, why) => {
    const path = writeSignInFile(good);
    const { file, lines, look } = open(path);
    change(path);
    look();
    look();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^order-license-mcp: SIGN-IN STILL USES THE OLD FILE; subjects: 1\. The file named in ORDER_LICENSE_OAUTH /,
    );
    expect(lines[0]).toMatch(why);
    expect(lines[0]).not.toContain('canary');
    expect([...file.current().subjects]).toEqual([['alice', 'key-1']]);
  },
);

test('reads the new file when Kubernetes updates a mounted Secret by replacing a symbolic link', () => {
  const audience = ['one', 'two']; // the same list in both files
  const path = writeSignInFile(good, 0o440);
  const folder = dirname(path);
  const mount = (version: string, subjects: object) => {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'oauth.json'), withSubjects(subjects, { audience }), { mode: 0o440 });
    symlinkSync(version, join(folder, '..data.new'));
    renameSync(join(folder, '..data.new'), join(folder, '..data'));
  };
  mount('..1', { alice: true, bob: true });
  rmSync(path);
  symlinkSync('..data/oauth.json', path);
  const { file, look } = open(path);
  mount('..2', { bob: true });
  look();
  expect(file.current().subjects.has('alice')).toBe(false);
});
