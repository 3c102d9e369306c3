interface Variable {
  name: `ORDER_LICENSE_${string}`;
  about: string;
  isRequired?: true;
  isSecret?: true;
  default?: string;
  choices?: readonly string[];
  /** Whether an empty value is rejected: if it were ignored, a limit would be lifted without notice. */
  isLimit?: true;
  /** The only transport over which the variable has an effect. */
  only?: 'stdio' | 'http';
}

const all = [
  {
    name: 'ORDER_LICENSE_BASE_URL',
    about: 'Address of the API, ending in /api/v1',
    isRequired: true,
  },
  {
    name: 'ORDER_LICENSE_API_KEY',
    about: 'API key from the customer account; required, except for http if all callers send their own',
    isRequired: true,
    isSecret: true,
  },
  {
    name: 'ORDER_LICENSE_LICENSE_KEYS',
    about:
      'Who sees license keys: full (the assistant), masked (nobody) or app (only people, on a card that some clients show)',
    default: 'full',
    choices: ['full', 'masked', 'app'],
    isLimit: true,
  },
  {
    name: 'ORDER_LICENSE_PERSONAL_DATA',
    about: 'Whether the assistant sees e-mail addresses, names and postal addresses: full or masked',
    default: 'full',
    choices: ['full', 'masked'],
    isLimit: true,
  },
  {
    name: 'ORDER_LICENSE_REQUESTS_PER_MINUTE',
    about: "How many of the API key's 60 requests per minute this server may send, 1 to 60",
    default: '60',
    isLimit: true,
  },
  {
    name: 'ORDER_LICENSE_STORE',
    about:
      'Where to count requests: memory, sqlite, sqlite:/PATH or redis://HOST; default memory for http, otherwise sqlite',
    default: 'sqlite',
    isSecret: true, // a Redis address may contain a password
    isLimit: true,
  },
  {
    name: 'ORDER_LICENSE_ACCESS_LOG',
    about: 'Whether to log each tool call as JSON on stderr, with order IDs but no other order data: off or stderr',
    default: 'off',
    choices: ['off', 'stderr'],
    isLimit: true,
  },
  {
    name: 'ORDER_LICENSE_EXPORT_FOLDER',
    about: 'Absolute path of a folder for exported files; enables the order_license_export_orders tool; stdio only',
    only: 'stdio',
  },
  {
    name: 'ORDER_LICENSE_ALLOW_HTTP_HOSTS',
    about: 'Hosts on a private network that may be called over plain HTTP: exact names, separated by commas',
  },
  {
    name: 'ORDER_LICENSE_ACCESS_TOKEN',
    about:
      'Bearer token that callers must send; http only; required unless ORDER_LICENSE_OAUTH is set or --open is given',
    isSecret: true,
    isLimit: true,
    only: 'http',
  },
  {
    name: 'ORDER_LICENSE_OAUTH',
    about: 'JSON file with the settings for sign-in through an OAuth issuer; http only',
    isLimit: true,
    only: 'http',
  },
  {
    name: 'ORDER_LICENSE_METRICS',
    about: 'Port, or HOST:PORT, on which http serves metrics in the Prometheus text format; off by default',
    only: 'http',
  },
] as const satisfies readonly Variable[];

export type VariableName = (typeof all)[number]['name'];

/**
 * The environment variables that the server reads. The configuration check, the help and the registry entry use this
 * list.
 */
export const variables: readonly Variable[] = all;

/** Returns the names of the variables that have an effect only over this transport. */
export const variablesOnlyFor = (only: 'stdio' | 'http'): string[] =>
  variables.filter((one) => one.only === only).map(({ name }) => name);
