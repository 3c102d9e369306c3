import { createClient } from '../index.ts';

const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = process.env;
console.log((await createClient({ baseUrl, apiKey, retries: 0 }).getMe()).user_id);
