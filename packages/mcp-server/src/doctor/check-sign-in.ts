import { isOrderLicenseError } from '@order-license/core/portable';
import { Unreadable } from '../auth/fetch-json.ts';
import { unusable } from '../auth/issuer.ts';
import { readIssuer } from '../auth/issuer-metadata.ts';
import type { SignInSettings } from '../auth/settings.ts';
import { readSettingsFile } from '../auth/settings-file.ts';
import type { HttpOptions } from '../http/options.ts';
import { quote } from '../log/quote.ts';
import { type Finding, fail, ok, warn } from './findings.ts';

/**
 * Checks the sign-in file and the issuer.
 * @returns the API keys in the file, with their subjects as text for people; undefined if the file cannot be used
 */
export async function* checkSignIn({
  signInFile,
  apiKey,
}: HttpOptions): AsyncGenerator<Finding, Map<string, string> | undefined> {
  if (signInFile === undefined) return new Map();
  try {
    const settings = readSettingsFile(signInFile, apiKey !== undefined);
    yield ok('sign-in', `subjects: ${settings.subjects.size}; people connect to ${settings.publicUrl}/mcp`);
    yield* checkIssuer(settings);
    return ownersOf(settings);
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    yield fail('sign-in', error.message);
    return undefined;
  }
}

async function* checkIssuer({ issuer, scope }: SignInSettings): AsyncGenerator<Finding> {
  try {
    const { scopes_supported: scopes } = (await readIssuer(issuer)).metadata;
    if (Array.isArray(scopes) && !scopes.includes(scope)) {
      yield warn(
        'sign-in',
        `the issuer does not list the scope ${scope}; define that scope at the issuer, or set a different \`scope\``,
      );
    }
    yield ok('sign-in', `the issuer ${issuer} publishes its metadata and keys`);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    yield fail('sign-in', unusable(error).message);
  }
}

const ownersOf = ({ subjects }: SignInSettings): Map<string, string> => {
  const owners = new Map<string, string>();
  for (const [subject, apiKey] of subjects) {
    if (apiKey !== undefined) owners.set(apiKey, [owners.get(apiKey) ?? [], quote(subject)].flat().join(', '));
  }
  return owners;
};
