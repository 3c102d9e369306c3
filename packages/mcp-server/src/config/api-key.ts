import { checkApiKey, configurationError } from '@order-license/core/host';
import { atPlace } from './environment.ts';
import { isPlaceholder } from './placeholder.ts';

/**
 * Checks a configured API key. Also detects mistakes that the API would report only as a 401.
 * @param place where the key comes from; the error message begins with this text
 * @throws `configuration`; the error does not contain the key
 */
export const checkConfiguredKey = (key: string, place: string): string => {
  if (isPlaceholder(key)) {
    throw configurationError(
      `${place}: This is a placeholder that was not replaced`,
      'Write an API key from the customer account in its place.',
    );
  }
  if (/^(["'`]).*\1$/s.test(key)) throw configurationError(`${place}: The API key is in quotes`, 'Remove the quotes.');
  if (/\bbearer /i.test(key)) {
    throw configurationError(`${place}: The API key has a header or a scheme before it`, 'Remove it.');
  }
  if (samples.test(key)) {
    throw configurationError(
      `${place}: This is the key from a sample configuration`,
      'Replace it with an API key from the customer account.',
    );
  }
  return atPlace(place, () => checkApiKey(key));
};

/** What people and programs write where a key belongs. */
const samples =
  /^(your[-_]([a-z]+[-_])*key([-_]here)?|an-api-key-for-this-person|change[-_]?me|undefined|null|true|false|…|\*+|x+)$/i;
