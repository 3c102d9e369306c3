import { isIP } from 'node:net';
import { nameText } from '../validate/values.ts';

/** The names of this machine in a Host header. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine can reach a listen address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether a listen address stands for all addresses of this machine. */
const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Returns a host in the form of URLs and Host headers. */
const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host.toLowerCase());

/** Returns the host part of the URL under which this machine can reach a listen address. */
export const hostInUrl = (host: string): string => {
  if (isWildcard(host)) return host === '::' ? '[::1]' : '127.0.0.1';
  return bracketed(host);
};

/** Checks a listen address. @throws Error unless it is one address or name */
export const readHost = (host: unknown): string => {
  if (/^[\w.:%-]+$/.test(nameText('host', host))) return host as string;
  throw new Error(`host must be one address to listen on, like 0.0.0.0 or ::1, not "${host}"`);
};

/**
 * Returns the host names that the control API accepts: those of this machine, the listen address, and the given ones.
 * @throws Error that names an entry that isn't a plain name
 */
export const readAllowedHosts = (host: string, given: unknown = []): ReadonlySet<string> => {
  if (!Array.isArray(given)) throw new Error('allowHosts must be an array of names');
  const names = given.map((name) => {
    if (isIP(name) || /^([\w.-]+|\[[\da-f:.]+\])$/i.test(nameText('allowHosts', name))) return bracketed(name);
    throw new Error(`allowHosts takes names like mock.example, without scheme, port or *, not "${name}"`);
  });
  return new Set([...loopbackNames, bracketed(host), ...names]);
};

/** Returns the name in a Host header, without its port. */
export const hostName = (header = ''): string => header.toLowerCase().replace(/:\d*$/, '');

/** Returns the names that a certificate needs in addition to localhost and 127.0.0.1. */
export const namesOfCertificate = (host: string, allowed: ReadonlySet<string>): string[] =>
  [...allowed, bracketed(host)]
    .map((name) => name.replace(/^\[|\]$/g, ''))
    .filter(
      (name, n, all) => !['localhost', '127.0.0.1'].includes(name) && !isWildcard(name) && all.indexOf(name) === n,
    );
