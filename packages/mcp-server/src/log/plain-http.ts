import { plainHttpHost } from '@order-license/core/host';
import { writeLine } from './stderr.ts';

/** A warning at the start if API keys and answers are sent unencrypted. */
export const warnOfPlainHttp = ({ baseUrl }: { baseUrl: string }): void => {
  const host = plainHttpHost(baseUrl);
  if (host !== undefined)
    writeLine(`API KEYS AND ANSWERS GO TO ${host} IN CLEAR TEXT (ORDER_LICENSE_ALLOW_HTTP_HOSTS).`);
};
