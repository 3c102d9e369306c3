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
  if (samples.includes(key.toUpperCase().replaceAll('_', '-'))) {
    throw configurationError(
      `${place}: This is the key from a sample configuration`,
      'Replace it with an API key from the customer account.',
    );
  }
  return atPlace(place, () => checkApiKey(key));
};

const samples = ['YOUR-API-KEY', 'YOUR-KEY', 'AN-API-KEY-FOR-THIS-PERSON', '…'];
