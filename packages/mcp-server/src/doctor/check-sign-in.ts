import { isOrderLicenseError } from '@order-license/core/portable';
import { Unreadable } from '../auth/fetch-json.ts';
import { unusable } from '../auth/issuer.ts';
import { readIssuer } from '../auth/issuer-metadata.ts';
import type { SignInSettings } from '../auth/settings.ts';
import { readSettingsFile } from '../auth/settings-file.ts';
import type { HttpOptions } from '../http/options.ts';
import { quote } from '../log/quote.ts';
import { exitCodes, type Say } from './findings.ts';

/** Checks the sign-in file and the issuer, and returns the API keys in the file with their subjects, for people. */
export const checkSignIn = async (
  { signInFile, apiKey }: HttpOptions,
  say: Say,
): Promise<{ exitCode: number; owners: ReadonlyMap<string, string> }> => {
  if (signInFile === undefined) return { exitCode: exitCodes.healthy, owners: new Map() };
  try {
    const settings = readSettingsFile(signInFile, apiKey !== undefined);
    say('ok', 'sign-in', `subjects: ${settings.subjects.size}; people connect to ${settings.publicUrl}/mcp`);
    return { exitCode: await checkIssuer(settings, say), owners: ownersOf(settings) };
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    say('fail', 'sign-in', error.message);
    return { exitCode: exitCodes.misconfigured, owners: new Map() };
  }
};

const checkIssuer = async ({ issuer, scope }: SignInSettings, say: Say): Promise<number> => {
  try {
    const { scopes_supported: scopes } = (await readIssuer(issuer)).metadata;
    if (Array.isArray(scopes) && !scopes.includes(scope)) {
      say('warn', 'sign-in', `the issuer does not list the scope ${scope}; define it there, or set \`scope\``);
    }
    say('ok', 'sign-in', `the issuer ${issuer} publishes its metadata and keys`);
    return exitCodes.healthy;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    say('fail', 'sign-in', unusable(error).message);
    return error.isAway ? exitCodes.notReached : exitCodes.misconfigured;
  }
};

const ownersOf = ({ subjects }: SignInSettings): Map<string, string> => {
  const owners = new Map<string, string>();
  for (const [subject, apiKey] of subjects) {
    if (apiKey !== undefined) owners.set(apiKey, [owners.get(apiKey) ?? [], quote(subject)].flat().join(', '));
  }
  return owners;
};
