import { describeLoss, describeStore, type StoreLoss } from '../config/store-choice.ts';
import { shortHash } from '../log/access-log.ts';
import type { HttpOptions } from './options.ts';

type Access = Pick<HttpOptions, 'accessToken' | 'signInFile' | 'apiKey' | 'accessLog'>;

/** Describes, for people, who may use the server and whose API key its requests use. */
export const describeCallers = ({ accessToken, signInFile, apiKey, accessLog }: Access): string => {
  const hash = accessLog && accessToken !== undefined ? ` (shown as ${shortHash(accessToken)} in the access log)` : '';
  const who = [
    ...(accessToken === undefined ? [] : [`holders of the access token${hash}`]),
    ...(signInFile === undefined ? [] : ['people who sign in']),
  ];
  const key = apiKey === undefined ? "the callers' API keys" : "the server's API key";
  return `${who.join(' and ') || 'anybody on this machine, or behind a proxy on it,'} can use the server; requests use ${key}`;
};

/** Describes the server's configuration on one line, for the operator. */
export const describeStart = (options: HttpOptions, loss?: StoreLoss): string => {
  const { masking, store } = options;
  return [
    describeCallers(options),
    `license keys ${masking.licenseKeys ? 'masked' : 'shown'}`,
    loss ? `the rate-limit store ${describeLoss(loss)}` : `requests counted in ${describeStore(store)}`,
  ].join('; ');
};
