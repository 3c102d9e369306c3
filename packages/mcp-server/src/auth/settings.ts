import { checkApiKey } from '@order-license/core/host';
import { isOrderLicenseError, type OrderLicenseError } from '@order-license/core/portable';
import { misconfigured } from '../config/environment.ts';

/** What the file named by ORDER_LICENSE_OAUTH says. */
export interface SignInSettings {
  /** Where people reach this server: an origin. */
  publicUrl: string;
  /** Who signs people in, exactly as its tokens name it. */
  issuer: string;
  /** Whom an access token has to be for. */
  audience: string;
  /** What an access token has to allow. */
  scope: string;
  /** Who may call, and with which API key; undefined for the key of the server. */
  subjects: ReadonlyMap<string, string | undefined>;
}

/** The resource of RFC 9728 and RFC 8707: the address at which MCP is spoken. */
export const resourceOf = ({ publicUrl }: Pick<SignInSettings, 'publicUrl'>): string => `${publicUrl}/mcp`;

const members = ['publicUrl', 'issuer', 'audience', 'scope', 'subjects'];

/**
 * @param serverHasKey whether there is a key for the subjects that have `true`
 * @throws `configuration`: what is wrong with which member, without a subject or a key
 */
export const parseSettings = (text: string, serverHasKey: boolean): SignInSettings => {
  const file = parseJson(text);
  if (!isRecord(file)) throw wrong('is not a JSON object');
  if (Object.keys(file).some((name) => !members.includes(name))) {
    throw wrong(`holds another member than ${members.join(', ')}`, 'Check how they are written.');
  }
  const publicUrl = readPublicUrl(file.publicUrl);
  return {
    publicUrl,
    issuer: readIssuer(file.issuer),
    audience: file.audience === undefined ? resourceOf({ publicUrl }) : readAudience(file.audience),
    scope: file.scope === undefined ? 'orders:read' : readScope(file.scope),
    subjects: readSubjects(file.subjects, serverHasKey),
  };
};

/** @param what follows the name of the file */
export const wrong = (what: string, advice?: string): OrderLicenseError =>
  misconfigured(`The file of ORDER_LICENSE_OAUTH ${what}`, advice);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // The rest of the message quotes the file, which holds keys.
    const [place = ''] = /\(line \d+ column \d+\)/.exec(String(error)) ?? [];
    throw wrong(`is not JSON ${place}`.trimEnd());
  }
};

const readPublicUrl = (value: unknown): string => {
  const advice = 'Give an origin such as https://mcp.example.com.';
  const url = readUrl('publicUrl', value, advice);
  if (url.pathname !== '/') throw wrong('has a `publicUrl` with a path', advice);
  return url.origin;
};

const readIssuer = (value: unknown): string => {
  readUrl('issuer', value, 'Give an address such as https://id.example.com.');
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
  throw wrong('has an `audience` that is not a non-empty string', 'Leave it out for `publicUrl` + /mcp.');
};

/** A scope-token of RFC 6749, § 3.3. */
const readScope = (value: unknown): string => {
  if (typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)) return value;
  throw wrong('has a `scope` that is not one word', 'Leave it out for orders:read.');
};

const readSubjects = (value: unknown, serverHasKey: boolean): SignInSettings['subjects'] => {
  const advice = 'Give each subject an API key, or true for the key of this server.';
  if (!isRecord(value) || Object.keys(value).length === 0) throw wrong('has no `subjects`, so nobody may call', advice);
  const entries = Object.entries(value).map(([subject, key], at): [string, string | undefined] => {
    const place = `entry ${at + 1} of \`subjects\``;
    if (subject.trim() !== subject || subject === '') throw wrong(`has no subject in ${place}`, advice);
    if (typeof key === 'string') return [subject, readKey(key, place)];
    if (key !== true) throw wrong(`has neither an API key nor true in ${place}`, advice);
    if (serverHasKey) return [subject, undefined];
    throw wrong(
      `has true in ${place}, but this server has no API key`,
      'Set ORDER_LICENSE_API_KEY, or give the subject a key of its own.',
    );
  });
  return new Map(entries);
};

const readKey = (key: string, place: string): string => {
  try {
    return checkApiKey(key);
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    throw wrong(`has a wrong API key in ${place}: ${error.message}`);
  }
};
