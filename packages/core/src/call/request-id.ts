import type { HttpResponse } from '../base/host.ts';
import { maskKey } from './api-key.ts';

/** Headers with which a server, a load balancer or Cloudflare names a request. */
const headerNames = ['x-request-id', 'request-id', 'cf-ray'];

/** The first value of a header: one word of at most 100 printable ASCII characters. */
const form = /^\s*([\x21-\x2b\x2d-\x7e]{1,100})\s*(?:,|$)/;

/**
 * Returns the ID that the response gives its request, for the shop's support; undefined if there is none. Anything but
 * one word of at most 100 printable ASCII characters is not an ID, nor is a text that contains the API key.
 */
export const requestIdIn = (headers: HttpResponse['headers'], apiKey: string): string | undefined => {
  for (const name of headerNames) {
    const id = form.exec(String(headers[name] ?? ''))?.[1];
    if (id && maskKey(id, apiKey) === id) return id;
  }
  return undefined;
};
