import { isIP } from 'node:net';
import { nameText } from '../validate/values.ts';

/** The names of this machine, as a Host header has them. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine reaches an address to listen on. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether an address to listen on stands for all of this machine. */
const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** As a URL and a Host header have it. */
const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host.toLowerCase());

/** How this machine reaches an address to listen on, for a URL. */
export const hostInUrl = (host: string): string => {
  if (isWildcard(host)) return host === '::' ? '[::1]' : '127.0.0.1';
  return bracketed(host);
};

/** An address to listen on. @throws Error unless it is one address or name */
export const readHost = (host: unknown): string => {
  if (/^[\w.:%-]+$/.test(nameText('host', host))) return host as string;
  throw new Error(`host must be one address to listen on, like 0.0.0.0 or ::1, not "${host}"`);
};

/**
 * The names under which the control API answers: those of this machine, the address it listens on, and the given ones.
 * @throws Error where one of them is more than a name
 */
export const readAllowedHosts = (host: string, given: unknown = []): ReadonlySet<string> => {
  if (!Array.isArray(given)) throw new Error('allowHosts must be an array of names');
  const names = given.map((name) => {
    if (isIP(name) || /^([\w.-]+|\[[\da-f:.]+\])$/i.test(nameText('allowHosts', name))) return bracketed(name);
    throw new Error(`allowHosts takes names like mock.example, without scheme, port or *, not "${name}"`);
  });
  return new Set([...loopbackNames, bracketed(host), ...names]);
};

/** The name in a Host header, without its port. */
export const hostName = (header = ''): string => header.toLowerCase().replace(/:\d*$/, '');

/** The names that a certificate needs beside localhost and 127.0.0.1. */
export const namesOfCertificate = (host: string, allowed: ReadonlySet<string>): string[] =>
  [...allowed, bracketed(host)]
    .map((name) => name.replace(/^\[|\]$/g, ''))
    .filter(
      (name, n, all) => !['localhost', '127.0.0.1'].includes(name) && !isWildcard(name) && all.indexOf(name) === n,
    );
