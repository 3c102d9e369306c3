import { createClient, isOrderLicenseError } from '../index.ts';

const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = process.env;
try {
  const { user_id } = await createClient({ baseUrl, apiKey, retries: 0 }).getMe();
  console.log(user_id);
} catch (error) {
  console.log(isOrderLicenseError(error) ? `${error.code} ${error.message}` : 'a stranger');
}
