import { checkApiKey } from '@order-license/core/host';
import { isOrderLicenseError, type OrderLicenseError } from '@order-license/core/portable';
import { type EnvironmentReader, misconfigured } from './environment.ts';

/**
 * The server's API key; undefined without one.
 * @throws `configuration`, without the key
 */
export const readApiKey = ({ optional }: EnvironmentReader): string | undefined => {
  const value = optional('API_KEY');
  return value === undefined ? undefined : checkConfiguredKey(value, 'ORDER_LICENSE_API_KEY');
};

/**
 * Checks a configured key, including for mistakes that the service would answer with a bare 401.
 * @param place what the error starts with
 * @throws `configuration`, without the key
 */
export const checkConfiguredKey = (key: string, place: string): string => {
  if (/^(["'`]).*\1$/s.test(key)) throw misconfigured(`${place}: The API key is in quotes`, 'Remove them.');
  if (samples.includes(key)) {
    throw misconfigured(`${place}: This is the sample's text`, 'Replace it with an API key from the customer account.');
  }
  try {
    return checkApiKey(key);
  } catch (error) {
    throw isOrderLicenseError(error) ? atPlace(error, place) : error;
  }
};

const atPlace = ({ detail, advice }: OrderLicenseError, place: string): OrderLicenseError =>
  misconfigured(`${place}: ${detail}`, advice);

const samples = ['YOUR-API-KEY', 'AN-API-KEY-FOR-THIS-PERSON', '…'];
