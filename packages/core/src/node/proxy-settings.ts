import { BlockList, isIP } from 'node:net';
import { percentDecoded } from '../base/checks.ts';
import { OrderLicenseError } from '../base/errors.ts';

/** The proxy that a variable of the environment names. */
export interface ProxySetting {
  variable: string;
  url: URL;
}

/** As in curl, lower case comes first. An empty variable counts as unset. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];

const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks5h:', 'socks:']);

/**
 * Returns the proxy for requests to `origin`, from the environment; undefined if there is none, or if `NO_PROXY` names
 * the host. Plain HTTP bypasses the proxy, which could read the API key.
 * @throws `configuration` if a variable is malformed
 */
export const proxyFor = (origin: string, env: NodeJS.ProcessEnv = process.env): ProxySetting | undefined => {
  if (origin.startsWith('http:')) return undefined;
  const target = new URL(origin);
  const variable = variables.find((name) => env[name]?.trim());
  if (!variable) return undefined;
  if (isExempt(target, env.no_proxy?.trim() || env.NO_PROXY || '')) return undefined;
  const text = env[variable]?.trim() ?? '';
  const url = URL.parse(text);
  if (url?.hostname && protocols.has(url.protocol) && isUnambiguous(text, url)) return { variable, url };
  throw proxyError(
    `${variable} is not the URL of a supported proxy`,
    'Set a URL such as http://proxy.example:3128 or socks5://proxy.example:1080, or unset the variable. Percent-encode special characters in the user name and the password: `@` as %40, `/` as %2F, `%` as %25.',
  );
};

/** Whether no part of a password can have been taken for the host, as where the password contains a `/`. */
const isUnambiguous = (text: string, { pathname, search, hash, username, password }: URL): boolean =>
  !/\s/.test(text) && /^\/?$/.test(pathname + search + hash) && percentDecoded(username + password) !== undefined;

export const proxyError = (detail: string, advice: string): OrderLicenseError =>
  new OrderLicenseError('configuration', { detail, advice, reason: 'proxy', sent: false });

/** Whether a list in the form of `NO_PROXY` names the host of a URL. Names are not resolved to addresses. */
const isExempt = ({ hostname, port }: URL, list: string): boolean => {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return list
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(readEntry)
    .some((entry) => (entry.port === undefined || entry.port === (port || '443')) && entry.names(host));
};

interface Entry {
  names(host: string): boolean;
  /** The only port for which the entry applies. */
  port?: string | undefined;
}

/** Reads a host, a domain, `*`, or a network such as `10.0.0.0/8`. All but networks can end in a port. */
const readEntry = (entry: string, index: number): Entry => {
  // Without brackets, the colons of an IPv6 address don't separate a port.
  const isAddress = /^[^[]*:.*:/.test(entry);
  const [, inBrackets, bare = '', port] = /^(?:\[([^[\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(entry) ?? [];
  const name = (isAddress ? entry : (inBrackets ?? bare)).toLowerCase().replace(/\.$/, '');
  const [address = '', bits] = name.split('/');
  const network = isIP(address) ? networkOf(address, bits) : undefined;
  if (network) return { names: network, port };
  if (isIP(address) || name === '' || /[/"'@]/.test(name)) throw unreadable(index + 1);
  if (name === '*') return { names: () => true, port };
  const domain = name.replace(/^\*?\./, '');
  const includesDomain = !name.startsWith('*');
  return { names: (host) => (includesDomain && host === domain) || host.endsWith(`.${domain}`), port };
};

/**
 * Returns a function that tells whether a host is an address of this network or, without `bits`, this address;
 * undefined if the network is not valid.
 */
const networkOf = (address: string, bits: string | undefined): Entry['names'] | undefined => {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const network = new BlockList();
  try {
    if (bits === undefined) network.addAddress(address, family);
    else network.addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : Number.NaN, family);
  } catch {
    return undefined;
  }
  return (host) => isIP(host) > 0 && network.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
};

/** @param place number of the entry; the entry itself may contain a password */
const unreadable = (place: number): OrderLicenseError =>
  proxyError(
    `Entry ${place} of NO_PROXY is neither a host nor a network`,
    'Use entries such as shop.example, .example, 10.0.0.7 or 10.0.0.0/8.',
  );
