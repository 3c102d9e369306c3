import packageJson from '../../package.json' with { type: 'json' };
import { configurationError } from '../base/errors.ts';

/** Common firewall rules reject requests without a `User-Agent`. */
const defaultUserAgent = `order-license-core/${packageJson.version}`;

/** @throws `configuration` if it is empty, which firewalls reject, or not valid in a header */
export const checkUserAgent = (userAgent: unknown = defaultUserAgent): string => {
  if (typeof userAgent === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(userAgent)) return userAgent;
  throw configurationError('`userAgent` must be a non-empty string of visible ASCII, such as `my-shop/1.0`');
};
