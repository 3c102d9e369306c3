import { configurationError, isObject } from '@order-license/core/host';
import type { OrderLicenseError } from '@order-license/core/portable';
import * as z from 'zod';
import { checkConfiguredKey } from '../config/api-key.ts';

/** The contents of the ORDER_LICENSE_OAUTH file. */
export interface SignInSettings {
  /** The address below which clients reach this server, without a slash at its end. */
  publicUrl: string;
  /** The issuer, exactly as its tokens name it. */
  issuer: string;
  /** The audiences of access tokens, one of which is required. */
  audience: string | string[];
  /** The required scope of access tokens. */
  scope: string;
  /** The API key of each allowed subject; undefined means the server's key. */
  subjects: ReadonlyMap<string, string | undefined>;
}

/** Returns the resource identifier of RFC 9728 and RFC 8707, which is the address of the MCP endpoint. */
export const resourceOf = ({ publicUrl }: Pick<SignInSettings, 'publicUrl'>): string => `${publicUrl}/mcp`;

/**
 * The schema of an address: HTTPS, or HTTP on this machine, without user name, query or fragment.
 */
const address = (name: 'publicUrl' | 'issuer', example: string) =>
  z
    .string({ error: ({ input }) => `has ${input === undefined ? 'no' : 'an unusable'} \`${name}\`. Use ${example}` })
    .superRefine((text, context) => {
      const problem = problemOf(text, name === 'publicUrl');
      if (problem) context.addIssue(`sets \`${name}\` to ${problem}. Use ${example}`);
    });

const problemOf = (text: string, isPublic: boolean): string | undefined => {
  const url = text.trim() === text ? URL.parse(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return 'something that is not a URL';
  if (url.protocol === 'http:' && !['localhost', '127.0.0.1'].includes(url.hostname)) {
    return 'an http address, which is allowed only on this machine';
  }
  if (url.username || url.password || url.search || url.hash) return 'a URL with a user name, a query or a fragment';
  return isPublic && /\/mcp\/*$/.test(url.pathname) ? 'a URL that ends in /mcp, which the server adds' : undefined;
};

const subjectsAdvice = "Set an API key for each subject, or true to use this server's key";
const noAudience =
  'has an invalid `audience`. Use a string without spaces around it, or a list of such strings; omit `audience` to use `publicUrl` + /mcp';
const audience = z.string().regex(/^\S(.*\S)?$/s, noAudience);
const noScope = 'has a `scope` that is not a single word. Omit `scope` to use orders:read';
const noSubjects = `has no \`subjects\`, so nobody can use the server. ${subjectsAdvice}`;

/** The schema of the file. In an error, each message follows the words `The file named in ORDER_LICENSE_OAUTH`. */
const file = z.strictObject(
  {
    publicUrl: address('publicUrl', 'an address such as https://mcp.example.com').transform((text) => {
      const { origin, pathname } = new URL(text);
      return origin + pathname.replace(/\/+$/, '');
    }),
    issuer: address('issuer', 'an address such as https://id.example.com'),
    audience: z.union([audience, z.array(audience).min(1, noAudience)], noAudience).optional(),
    // A scope-token as defined in RFC 6749, § 3.3.
    scope: z
      .string(noScope)
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, noScope)
      .default('orders:read'),
    subjects: z.custom<object>((value) => isObject(value) && Object.keys(value).length > 0, noSubjects),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? 'has an unknown member. The valid members are publicUrl, issuer, audience, scope and subjects'
        : 'is not a JSON object',
  },
);

/**
 * Parses the contents of the file.
 * @param serverHasKey whether there is a server key for subjects set to `true`
 * @throws `configuration`; the error names the member and the problem, but quotes no subjects or keys
 */
export const parseSettings = (written: string, serverHasKey: boolean): SignInSettings => {
  const text = written.replace(/^\ufeff/, '');
  const json = parseJson(text);
  const { data, error } = file.safeParse(json);
  if (error) throw wrong(error.issues[0]?.message ?? 'cannot be used');
  const { publicUrl, audience = resourceOf({ publicUrl }), subjects, ...rest } = data;
  const read = Object.entries(subjects).map(([name, key], index) => readSubject(name, key, index + 1, serverHasKey));
  // If a name occurs twice, `JSON.parse` keeps only the last member, so a subject that seems to be removed could still
  // have access.
  if (Object.keys(json as object).length + read.length < writtenMembers(text)) {
    throw wrong('contains a member or a subject twice', 'Remove the duplicate.');
  }
  return { ...rest, publicUrl, audience, subjects: new Map(read) };
};

/**
 * Returns an error about the file.
 * @param what the problem, worded to follow the name of the file
 */
export const wrong = (what: string, advice?: string): OrderLicenseError =>
  configurationError(`The file named in ORDER_LICENSE_OAUTH ${what}`, advice);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Only the position is used: the rest of the message quotes the file, which contains keys.
    const [place = ''] = /\(line \d+ column \d+\)/.exec(String(error)) ?? [];
    throw wrong(`is not JSON ${place}`.trimEnd());
  }
};

/** Counts the members in a valid JSON text: the strings that are followed by a colon. */
const writtenMembers = (text: string): number =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)].filter(([, colon]) => colon).length;

/**
 * Reads one member of `subjects`.
 * @param entry the member's number, for errors
 */
const readSubject = (
  name: string,
  key: unknown,
  entry: number,
  serverHasKey: boolean,
): [subject: string, apiKey: string | undefined] => {
  const place = `entry ${entry} of \`subjects\``;
  if (name.trim() !== name || name === '') {
    throw wrong(`has a subject that is empty or has spaces around it (${place})`, `${subjectsAdvice}.`);
  }
  if (typeof key === 'string')
    return [name, checkConfiguredKey(key, `The file named in ORDER_LICENSE_OAUTH, ${place}`)];
  if (key !== true)
    throw wrong(`sets a subject to something other than an API key or true (${place})`, `${subjectsAdvice}.`);
  if (serverHasKey) return [name, undefined];
  throw wrong(
    `sets a subject to true (${place}), but this server has no API key`,
    'Set ORDER_LICENSE_API_KEY, or set an API key for the subject.',
  );
};
