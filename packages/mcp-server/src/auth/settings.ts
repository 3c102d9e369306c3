import { isObject } from '@order-license/core/host';
import type { OrderLicenseError } from '@order-license/core/portable';
import { checkConfiguredKey } from '../config/api-key.ts';
import { misconfigured } from '../config/environment.ts';
import { findDuplicate, findMembers, type MemberPlace } from './member-places.ts';

/** The contents of the ORDER_LICENSE_OAUTH file. */
export interface SignInSettings {
  /** This server's public origin. */
  publicUrl: string;
  /** The issuer, exactly as in its tokens. */
  issuer: string;
  /** The required audience of access tokens. */
  audience: string;
  /** The required scope of access tokens. */
  scope: string;
  /** Allowed subjects with their API keys; undefined for the server's key. */
  subjects: ReadonlyMap<string, string | undefined>;
}

/** The resource of RFC 9728 and RFC 8707: the address of the MCP endpoint. */
export const resourceOf = ({ publicUrl }: Pick<SignInSettings, 'publicUrl'>): string => `${publicUrl}/mcp`;

const members = ['publicUrl', 'issuer', 'audience', 'scope', 'subjects'];

/**
 * @param serverHasKey whether there is a server key for subjects set to `true`
 * @throws `configuration`, naming the member and the problem, without subjects or keys
 */
export const parseSettings = (written: string, serverHasKey: boolean): SignInSettings => {
  const text = written.replace(/^\ufeff/, '');
  const file = parseJson(text);
  if (!isObject(file)) throw wrong('is not a JSON object');
  const found = findMembers(text);
  refuseDuplicates(found);
  const unknown = found.find(({ path, name }) => path.length === 0 && !members.includes(name));
  if (unknown) {
    throw wrong(`has an unknown member (${unknown.place})`, `Its members are ${members.join(', ')}.`);
  }
  const publicUrl = readPublicUrl(file.publicUrl);
  return {
    publicUrl,
    issuer: readIssuer(file.issuer),
    audience: file.audience === undefined ? resourceOf({ publicUrl }) : readAudience(file.audience),
    scope: file.scope === undefined ? 'orders:read' : readScope(file.scope),
    subjects: readSubjects(file.subjects, found, serverHasKey),
  };
};

/** `JSON.parse` keeps the last duplicate, so a removed subject could still have access. */
const refuseDuplicates = (found: readonly MemberPlace[]): void => {
  const duplicate = findDuplicate(found);
  if (!duplicate) return;
  const [{ path, place }, second] = duplicate;
  throw wrong(
    `has ${path.length === 0 ? 'a member' : 'a subject'} twice (${place} and ${second.place})`,
    'Remove one of the two.',
  );
};

/** @param what follows the name of the file */
export const wrong = (what: string, advice?: string): OrderLicenseError =>
  misconfigured(`The file of ORDER_LICENSE_OAUTH ${what}`, advice);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The rest of the message quotes the file, which holds keys.
    const [place = ''] = /\(line \d+ column \d+\)/.exec(String(error)) ?? [];
    throw wrong(`is not JSON ${place}`.trimEnd());
  }
};

const readPublicUrl = (value: unknown): string => {
  const advice = 'Use an origin such as https://mcp.example.com.';
  const url = readUrl('publicUrl', value, advice);
  if (url.pathname !== '/') throw wrong('has a `publicUrl` with a path', advice);
  return url.origin;
};

const readIssuer = (value: unknown): string => {
  readUrl('issuer', value, 'Use an address such as https://id.example.com.');
  return String(value);
};

/** HTTPS, or HTTP on this machine, without user name, query and fragment. */
const readUrl = (name: string, value: unknown, advice: string): URL => {
  if (value === undefined) throw wrong(`has no \`${name}\``, advice);
  const url = typeof value === 'string' && value.trim() === value ? URL.parse(value) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) throw wrong(`has a \`${name}\` that is not a URL`, advice);
  if (url.protocol === 'http:' && !['localhost', '127.0.0.1'].includes(url.hostname)) {
    throw wrong(`has a \`${name}\` with http, which is only for this machine`, advice);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw wrong(`has a \`${name}\` with a user name, a query or a fragment`, advice);
  }
  return url;
};

const readAudience = (value: unknown): string => {
  if (typeof value === 'string' && value !== '' && value.trim() === value) return value;
  throw wrong('has an `audience` that is not a non-empty string', 'Omit it to use `publicUrl` + /mcp.');
};

/** A scope-token of RFC 6749, § 3.3. */
const readScope = (value: unknown): string => {
  if (typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)) return value;
  throw wrong('has a `scope` that is not one word', 'Omit it to use orders:read.');
};

const readSubjects = (
  value: unknown,
  found: readonly MemberPlace[],
  serverHasKey: boolean,
): SignInSettings['subjects'] => {
  const advice = 'Set an API key for each subject, or true for the key of this server.';
  if (!isObject(value) || Object.keys(value).length === 0) throw wrong('has no `subjects`, so nobody may call', advice);
  const entries = found.filter(({ path }) => path.join() === 'subjects');
  return new Map(
    entries.map(({ name, place }): [string, string | undefined] => {
      const key = value[name];
      if (name.trim() !== name || name === '') {
        throw wrong(`has a subject that is empty or has spaces around it (${place})`, advice);
      }
      if (typeof key === 'string') return [name, checkConfiguredKey(key, `The file of ORDER_LICENSE_OAUTH, ${place}`)];
      if (key !== true) throw wrong(`has neither an API key nor true for a subject (${place})`, advice);
      if (serverHasKey) return [name, undefined];
      throw wrong(
        `has true for a subject (${place}), but this server has no API key`,
        'Set ORDER_LICENSE_API_KEY, or set an API key for the subject.',
      );
    }),
  );
};
