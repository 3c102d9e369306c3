import { expect, test } from 'vitest';
import { defaultLedgerPath } from './ledger-path.ts';

test('the default file is in the state folder of the user, on each platform', () => {
  expect(defaultLedgerPath('linux', {}, '/home/a')).toBe('/home/a/.local/state/order-license/ledger.sqlite');
  expect(defaultLedgerPath('linux', { XDG_STATE_HOME: '/state' }, '/home/a')).toBe(
    '/state/order-license/ledger.sqlite',
  );
  expect(defaultLedgerPath('darwin', {}, '/Users/a')).toBe(
    '/Users/a/Library/Application Support/order-license/ledger.sqlite',
  );
  expect(defaultLedgerPath('win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\a')).toBe(
    'D:\\Local\\order-license\\ledger.sqlite',
  );
  expect(defaultLedgerPath('win32', {}, 'C:\\Users\\a')).toBe(
    'C:\\Users\\a\\AppData\\Local\\order-license\\ledger.sqlite',
  );
});

test('a relative folder in the environment is ignored', () => {
  const path = defaultLedgerPath('linux', { XDG_STATE_HOME: 'state' }, '/home/a');
  expect(path).toBe('/home/a/.local/state/order-license/ledger.sqlite');
});
