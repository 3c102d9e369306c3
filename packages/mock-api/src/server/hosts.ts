import { isIP } from 'node:net';
import { nameText, type Reader } from '../settings/check.ts';

/** The names of this machine in a Host header. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine can reach a host, which is a listen address or the host of a URL. */
export const isLoopback = (host: string): boolean => /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/i.test(host);

/** The listen addresses that stand for all addresses of this machine, each with one that reaches it. */
const wildcards: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns a host in the form that URLs and Host headers use. */
const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host.toLowerCase());

/** Returns the host part of the URL under which this machine can reach a listen address. */
export const hostInUrl = (host: string): string => bracketed(wildcards[host] ?? host);

export const readHost: Reader<string> = (name, host) => {
  if (/^[\w.:%-]+$/.test(nameText(name, host))) return host as string;
  throw new Error(`${name} must be one address to listen on, such as 0.0.0.0 or ::1, not "${host}"`);
};

/** Reads host names. Accepts only exact names, since a pattern could allow unintended hosts. */
export const readAllowHosts: Reader<readonly string[]> = (what, given) => {
  if (!Array.isArray(given)) throw new Error(`${what} must be an array of host names`);
  return given.map((name) => {
    if (isIP(name) || /^([\w.-]+|\[[\da-f:.]+\])$/i.test(nameText(what, name))) return bracketed(name);
    throw new Error(`${what} must contain names such as mock.example, without a scheme, a port or *, not "${name}"`);
  });
};

/**
 * Returns the host names that the control API accepts: those of this machine, the listen address, and the given names.
 */
export const allowedHosts = (host: string, given: readonly string[] = []): ReadonlySet<string> =>
  new Set([...loopbackNames, bracketed(host), ...given]);

/** Returns the name in a Host header, without its port. */
export const hostName = (header = ''): string => header.toLowerCase().replace(/:\d*$/, '');
