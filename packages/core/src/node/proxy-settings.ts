import { BlockList, isIPv6 } from 'node:net';
import { percentDecoded } from '../base/checks.ts';
import { OrderLicenseError } from '../base/errors.ts';

/** As in curl, lower case comes first. An empty variable counts as unset. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];

/** The URL of a supported proxy. It has no path, because a `/` in a password would end the host. */
const proxyUrl = /^https?:\/\/(?:[^\s/?#\\]*@)?[^\s/?#\\@]+\/?$/i;

/**
 * Returns the proxy for requests to `origin` and the environment variable that names it; undefined if there is none, or
 * if `NO_PROXY` names the host. Plain HTTP bypasses the proxy, which could read the API key.
 * @throws `configuration` if a variable is malformed
 */
export const proxyFor = (origin: string, env = process.env) => {
  const target = new URL(origin);
  const variable = variables.find((name) => env[name]?.trim());
  const exempt = env.no_proxy?.trim() || env.NO_PROXY || '';
  if (!variable || target.protocol === 'http:' || isExempt(target, exempt)) return undefined;
  const text = String(env[variable]).trim();
  const url = proxyUrl.test(text) && percentDecoded(text) !== undefined && URL.parse(text);
  if (url) return { variable, url };
  throw new OrderLicenseError('configuration', {
    detail: `${variable} is not the URL of a supported proxy`,
    advice:
      'Set the URL of an HTTP proxy, such as http://proxy.example:3128, or unset the variable. Percent-encode special characters in the user name and the password: `@` as %40, `/` as %2F, `%` as %25.',
    reason: 'proxy',
    sent: false,
  });
};

/** Whether a list in the form of `NO_PROXY` names the host of a URL. Names are not resolved to addresses. */
const isExempt = ({ hostname, port }: URL, list: string): boolean => {
  const targetPort = port || '443';
  const entries = list.toLowerCase().split(/[\s,;]+/);
  return entries.some((entry) => {
    const [, name = entry, entryPort = targetPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    return names(plainHost(name), plainHost(hostname)) && entryPort === targetPort;
  });
};

/** Returns a host without the brackets of an IPv6 address, or the dot after a name. */
const plainHost = (host: string): string => host.replace(/^\[(.*)\]$|\.$/, '$1');

/**
 * Whether an entry is this host, its domain, `*`, or a network that contains it. Other programs read more kinds of
 * entries, such as the path of a socket; here, they match no host.
 */
const names = (entry: string, host: string): boolean => {
  const domain = entry.replace(/^\*?\./, '');
  // `*.example` names only the hosts below `example`.
  const name = entry.startsWith('*') ? host : `.${host}`;
  return entry === '*' || name.endsWith(`.${domain}`) || contains(entry, host);
};

/** Whether a network, such as `10.0.0.0/8`, or an address contains this host. */
const contains = (network: string, host: string): boolean => {
  const [address = '', bits = isIPv6(address) ? '128' : '32'] = network.split('/');
  const addresses = new BlockList();
  try {
    addresses.addSubnet(address, Number.parseInt(bits, 10), familyOf(address));
  } catch {
    return false; // neither an address nor a network
  }
  return addresses.check(host, familyOf(host));
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
