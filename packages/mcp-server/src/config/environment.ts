import { OrderLicenseError } from '@order-license/core/portable';
import { variables } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const prefix = 'ORDER_LICENSE_';
const names = variables.map(({ name }) => name);
/** Former names, under which a setting would be lost without a word. */
const renamed: Readonly<Record<string, string>> = {
  ORDER_LICENSE_KEYS: 'ORDER_LICENSE_LICENSE_KEYS',
  ORDER_LICENSE_LEDGER: 'ORDER_LICENSE_STORE',
};

/** What Kubernetes sets in every pod beside a Service whose name begins with `order-license`. */
const kubernetesName = /^ORDER_LICENSE_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_.+)?)$/;

/** Both take the name of a variable without the prefix, and refuse a placeholder that a client did not replace. */
export interface EnvironmentReader {
  /**
   * An empty one counts as not set.
   * @throws `configuration`
   */
  optional(name: string): string | undefined;
  /**
   * For what limits the server: an empty one is refused, since a lost value would lift the limit in silence.
   * @throws `configuration`
   */
  limiting(name: string): string | undefined;
}

/** @throws `configuration` for a name that is none of {@link variables} */
export const readEnvironment = (env: Environment): EnvironmentReader => {
  for (const name of Object.keys(env)) {
    const asRead = process.platform === 'win32' ? name.toUpperCase() : name; // where case makes no difference
    if (!name.toUpperCase().startsWith(prefix) || names.includes(asRead) || kubernetesName.test(name)) continue;
    const newName = renamed[asRead];
    if (newName) throw misconfigured(`${name} is called ${newName} now`, 'Rename it.');
    throw misconfigured(`${name} is not a setting`, `The settings are ${names.join(', ')}.`);
  }
  const optional = (name: string): string | undefined => {
    const value = env[prefix + name]?.trim() ?? '';
    if (value.startsWith('${') || value === `$${prefix}${name}` || value === `%${prefix}${name}%`) {
      throw misconfigured(
        `${prefix}${name} holds a placeholder that was not replaced`,
        "Set the variable in the environment that starts the client, or write the value into the client's configuration.",
      );
    }
    return value === '' ? undefined : value;
  };
  const limiting = (name: string): string | undefined => {
    const value = optional(name);
    if (value === undefined && env[prefix + name] !== undefined) {
      throw misconfigured(`${prefix}${name} is empty`, 'Set a value, or remove it.');
    }
    return value;
  };
  return { optional, limiting };
};

export const misconfigured = (detail: string, advice?: string): OrderLicenseError =>
  new OrderLicenseError('configuration', { detail, advice });
