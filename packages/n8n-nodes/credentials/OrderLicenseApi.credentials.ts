import type {
  IAuthenticate,
  IAuthenticateRuleResponseCode,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';
import { checkCredential, type StoredCredential } from '../nodes/shared/credential';

const whenStatus = (value: number, message: string): IAuthenticateRuleResponseCode => ({
  type: 'responseCode',
  properties: { value, message },
});

const wrongAddress = 'The API is not at this address. Check the Base URL.';
const notTheApi =
  'The API is not at this address. Check the Base URL and any login page, bot protection, firewall or proxy between n8n and the API.';
const redirected =
  'The API redirects to another address. Requests with an API key do not follow redirects: set the Base URL to the final address.';

/** The credential for one account: the API's address and the API key (§1, §5). */
export class OrderLicenseApi implements ICredentialType {
  name = 'orderLicenseApi';

  displayName = 'Order License API';

  icon: Icon = { light: 'file:../icons/order-license.svg', dark: 'file:../icons/order-license.dark.svg' };

  documentationUrl =
    'https://github.com/order-license/order-license-kit/tree/main/packages/n8n-nodes#create-the-credential';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://shop.example/api/v1',
      description:
        'Address of the API. When you save the credential, n8n tests it and may show only an error code. ENOTFOUND: the host name does not exist. ECONNREFUSED or ETIMEDOUT: nothing responds at this address. A code containing CERT: the certificate was not accepted.',
      hint: 'Starts with https:// (http:// only for localhost) and ends in /api/v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        'Create an API key in your customer account. Only business accounts can have API keys, up to five each.',
    },
    {
      displayName: 'Requests per Minute',
      name: 'requestsPerMinute',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: 60, numberPrecision: 0 },
      default: 60,
      description:
        'Maximum number of requests that each n8n process sends per minute. The API allows 60 per API key, so if n8n runs several processes, divide 60 by their number. Use a separate API key for each program.',
    },
  ];

  /** Adds the single Authorization header (§5.1), and sets the base URL of the credential test. */
  authenticate: IAuthenticate = async (credentials, request) => {
    const { baseUrl, apiKey } = usable(credentials);
    const headers = { ...request.headers, Authorization: `Bearer ${apiKey}` };
    return { ...request, ...(request.baseURL !== undefined && { baseURL: baseUrl }), headers };
  };

  // If the connection fails, n8n shows only the error's code. Showing a message would require a test function, but n8n
  // passes such a function only a deprecated request helper that its verification rules forbid.
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{ $credentials.baseUrl }}',
      url: '/me',
      headers: { Accept: 'application/json' },
      disableFollowRedirect: true,
      sendCredentialsOnCrossOriginRedirect: false,
    },
    rules: [
      whenStatus(
        401,
        'The API key was rejected. Check that it is complete and has not been revoked, or create a new one in the customer account.',
      ),
      whenStatus(
        403,
        'Access was denied. Only business accounts can use the API. Enter a company or a VAT ID in the customer account. If the account already has one of them, a firewall or proxy may have rejected the request.',
      ),
      whenStatus(404, wrongAddress),
      whenStatus(405, wrongAddress),
      whenStatus(429, 'Rate limit reached: 60 requests per minute per API key. Wait a minute, then try again.'),
      whenStatus(500, 'The API returned a server error (500). Try again later.'),
      ...[301, 302, 303, 307, 308].map((status) => whenStatus(status, redirected)),
      // A 200 without a user object does not come from the API (§2.1).
      {
        type: 'responseSuccessBody',
        properties: { key: 'data.user_id', value: undefined, message: notTheApi },
      } as unknown as IAuthenticateRuleResponseCode,
    ],
  };
}

/** n8n shows an error's message only if the error has no code, so this error has none. */
const usable = (credentials: StoredCredential) => {
  try {
    return checkCredential(credentials);
  } catch (error) {
    throw new Error((error as Error).message);
  }
};
