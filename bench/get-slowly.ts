import { get } from 'node:http';
import { json } from 'node:stream/consumers';

/** The JSON of an answer that takes as long as it takes: fetch gives up after five minutes. */
export const getSlowly = (url: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => json(response).then(resolve, reject));
    request.once('error', reject);
  });
