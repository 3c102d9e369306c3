import { isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import { configurationError, isLoopback } from '@order-license/core/host';
import { readSettings, type Settings } from '../config/config.ts';
import { type Environment, readEnvironment, readNumber } from '../config/environment.ts';
import { readMetricsAddress } from '../metrics/serve-metrics.ts';
import type { ListenAddress } from '../server/listen.ts';

export interface HttpOptions extends Settings, ListenAddress {
  /** The names allowed in the Host header, without ports and dots at their ends. */
  allowedHosts: readonly string[];
  /** Origins from which browsers may call, in addition to those on this machine. */
  allowedOrigins: readonly string[];
  /** The bearer token that callers must send; undefined only with --open or with sign-in. */
  accessToken: string | undefined;
  /** The path of the file with the settings for sign-in. */
  signInFile: string | undefined;
  /** The address for metrics; undefined if metrics are off. */
  metrics: ListenAddress | undefined;
  /** Maximum number of running calls of one caller, if callers can be distinguished; four times as many can wait. */
  maxPerCaller: number;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads the arguments after `http` and the environment.
 * @throws `configuration`, without a key or token
 */
export const readHttpOptions = (args: readonly string[], env: Environment): HttpOptions => {
  const flags = readFlags(args);
  const read = readEnvironment(env);
  const settings = readSettings(read, 'memory');
  const host = flags.host ?? '127.0.0.1';
  // Node listens on all interfaces if the address is empty.
  if (host === '') throw configurationError('--host is empty', 'Set an address to listen on, or omit --host.');
  const accessToken = readAccessToken(read('ORDER_LICENSE_ACCESS_TOKEN'));
  const signInFile = read('ORDER_LICENSE_OAUTH');
  const isOpen = accessToken === undefined && signInFile === undefined;
  if (!isOpen && flags.open) {
    throw configurationError(
      '--open allows callers without a token, but ORDER_LICENSE_ACCESS_TOKEN or ORDER_LICENSE_OAUTH is set',
      'Remove the flag or the variable.',
    );
  }
  const allowedNames = (flags['allow-host'] ?? []).map(readHostName);
  // A server with any other name is behind a proxy, which forwards requests from other machines.
  const opening = isLoopback(host) ? allowedNames.every(isLoopback) || '--allow-host' : '--host';
  if (isOpen && opening !== true) {
    throw configurationError(
      `${opening} lets other machines in, so callers need a token or sign-in`,
      `Set ORDER_LICENSE_ACCESS_TOKEN or ORDER_LICENSE_OAUTH, or remove ${opening}.`,
    );
  }
  const options: HttpOptions = {
    ...settings,
    host,
    port: readNumber('--port', flags.port ?? '3000', 0, 65_535),
    allowedHosts: [...loopbackNames, asAllowedHost(host), ...allowedNames],
    allowedOrigins: (flags['allow-origin'] ?? []).map(readOrigin),
    accessToken,
    signInFile,
    metrics: readMetricsAddress(read('ORDER_LICENSE_METRICS')),
    maxPerCaller: readNumber('--max-per-caller', flags['max-per-caller'] ?? '8', 1, 32),
  };
  // This check comes last, so that a problem with a setting is reported first.
  if (isOpen && !flags.open) {
    throw configurationError(
      'Callers need a token or sign-in',
      'Set ORDER_LICENSE_ACCESS_TOKEN or ORDER_LICENSE_OAUTH. For programs on this machine only, use --open instead, and never put a proxy in front of the server.',
    );
  }
  return options;
};

const readFlags = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        open: { type: 'boolean' },
        host: { type: 'string' },
        port: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        'allow-origin': { type: 'string', multiple: true },
        'max-per-caller': { type: 'string' },
      },
    }).values;
  } catch {
    // The error from parseArgs is not used, because it quotes the argument, which could be a key.
    throw configurationError(
      '`http` accepts --open, --host NAME, --port N, --allow-host NAME, --allow-origin ORIGIN and --max-per-caller N',
      'See --help.',
    );
  }
};

const readHostName = (text: string): string => {
  if (/^(\[[0-9a-f:.]+\]|[\w.-]+)$/i.test(text)) return asAllowedHost(text);
  throw configurationError(
    '--allow-host must be one host name without a scheme, port or wildcard, such as mcp.example.com',
    'Repeat --allow-host for each name.',
  );
};

const readOrigin = (text: string): string => {
  const { origin = 'null', protocol, host } = URL.parse(text) ?? {};
  if (origin !== 'null') return origin;
  // The URL of a browser's extension, or of an app, has no origin, but its requests name the scheme and the host.
  if (host) return `${protocol}//${host}`;
  throw configurationError('--allow-origin must be an origin such as https://app.example');
};

const readAccessToken = (token: string | undefined): string | undefined => {
  if (token === undefined) return undefined;
  if (/^[\x21-\x7e]{16,}$/.test(token)) return token;
  throw configurationError(
    'ORDER_LICENSE_ACCESS_TOKEN must consist of at least 16 visible ASCII characters, without spaces',
  );
};

/** Returns a name or an address as the check of the Host header compares it. */
export const asAllowedHost = (host: string): string =>
  (isIPv6(host) ? `[${host}]` : host.replace(/\.$/, '')).toLowerCase();
