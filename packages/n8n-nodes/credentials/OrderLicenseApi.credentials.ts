import type {
  IAuthenticateGeneric,
  IAuthenticateRuleResponseCode,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

/**
 * The base URL without trailing slashes, or empty if the nodes refuse it: it would receive the key in clear text (§1), or
 * contains a user name, query or fragment. An address without /api/v1 is allowed, since the 404 message explains it.
 */
const testedUrl =
  '={{ /^(https:\\/\\/[^\\/\\\\?#@\\s]+|http:\\/\\/(localhost|127(\\.\\d+){3}|\\[::1\\])(:\\d+)?)(\\/[^?#\\s]*)?$/i.test($credentials.baseUrl.trim()) ? $credentials.baseUrl.trim().replace(/\\/+$/, "") : "" }}';

const whenStatus = (value: number, message: string): IAuthenticateRuleResponseCode => ({
  type: 'responseCode',
  properties: { value, message },
});

const wrongAddress = 'The API is not at this address. Check that the Base URL ends in /api/v1.';
const redirected =
  'The service redirects to another address. Requests with an API key do not follow redirects: set the Base URL to the final address.';

/** Address and API key of one account (§1, §5). */
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
        'Address of the API. If the test shows ERR_INVALID_URL, the address is invalid or uses HTTP for a host other than localhost. If it shows ECONNREFUSED, ENOTFOUND or ETIMEDOUT, nothing answers at this address.',
      hint: 'Starts with https:// (http:// only for localhost) and ends in /api/v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'Create it in your customer account. Only business accounts can have keys, up to five each.',
    },
    {
      displayName: 'Requests per Minute',
      name: 'requestsPerMinute',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: 60, numberPrecision: 0 },
      default: 60,
      description:
        'Maximum for each n8n process; the API allows 60 per key. With several workers, divide 60 by their number, or use a separate API key for each purpose.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey.trim()}}' } },
  };

  // Without an answer, n8n shows only a code. A message would require a test function, to which n8n passes only a
  // deprecated request helper that the verification rules forbid.
  test: ICredentialTestRequest = {
    request: {
      baseURL: testedUrl,
      url: '/me',
      headers: { Accept: 'application/json' },
      disableFollowRedirect: true,
      sendCredentialsOnCrossOriginRedirect: false,
    },
    rules: [
      whenStatus(
        401,
        'The API key was refused. Check that it is complete and has not been revoked, or create a new one in the customer account.',
      ),
      whenStatus(
        403,
        'The API key is valid, but its account is not a business account. Enter a company or a VAT ID in the customer account.',
      ),
      whenStatus(404, wrongAddress),
      whenStatus(405, wrongAddress),
      whenStatus(429, 'The limit of 60 requests per minute is used up. Wait a minute, then try again.'),
      whenStatus(500, 'The service failed (500). Try again later.'),
      ...[301, 302, 303, 307, 308].map((status) => whenStatus(status, redirected)),
      // A 200 without a user object does not come from the API (§2.1).
      {
        type: 'responseSuccessBody',
        properties: { key: 'data.user_id', value: undefined, message: wrongAddress },
      } as unknown as IAuthenticateRuleResponseCode,
    ],
  };
}
