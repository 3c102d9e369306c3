import { headerValues, type MockRequest } from '../api/request.ts';

/** The recorded parts of a request, without API keys. */
interface Redacted {
  target: string;
  headers: Record<string, string>;
}

const mask = '***';
/** Shorter keys are hidden only in the Authorization header, because other texts can contain them by chance. */
const minLength = 8;

/**
 * Returns a request's target and headers. `***` replaces the value of the Authorization header, wherever the request
 * repeats it, and the given keys.
 */
export const redact = (request: MockRequest, keys: Iterable<string>): Redacted => {
  const sent = headerValues(request, 'authorization').map((value) => value.replace(/^\S+\s+/, ''));
  const secrets = [...sent, ...keys].filter(({ length }) => length >= minLength);
  const forms = new Set(secrets.flatMap((key) => [key, encodeURIComponent(key)]));
  const hide = (text: string): string => {
    let hidden = text;
    for (const form of forms) hidden = hidden.replaceAll(form, mask);
    return hidden;
  };
  const headers: Record<string, string> = {};
  for (let n = 0; n < request.rawHeaders.length; n += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(n, n + 2);
    if (name.toLowerCase() !== 'authorization') headers[hide(name).toLowerCase()] = hide(value);
    else headers.authorization = /^Bearer /.test(value) ? `Bearer ${mask}` : mask;
  }
  return { target: hide(request.target), headers };
};
