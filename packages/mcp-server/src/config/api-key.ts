import { checkApiKey, configurationError } from '@order-license/core/host';
import { atPlace } from './environment.ts';

/**
 * Checks a configured key, including for mistakes for which the API would only return 401.
 * @param place what the error starts with
 * @throws `configuration`, without the key
 */
export const checkConfiguredKey = (key: string, place: string): string => {
  if (/^(["'`]).*\1$/s.test(key)) throw configurationError(`${place}: The API key is in quotes`, 'Remove them.');
  if (samples.includes(key)) {
    throw configurationError(
      `${place}: This is the sample's text`,
      'Replace it with an API key from the customer account.',
    );
  }
  return atPlace(place, () => checkApiKey(key));
};

const samples = ['YOUR-API-KEY', 'AN-API-KEY-FOR-THIS-PERSON', '…'];
