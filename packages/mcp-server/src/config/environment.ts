import { OrderLicenseError } from '@order-license/core/portable';
import { variables } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const prefix = 'ORDER_LICENSE_';
const names = variables.map(({ name }) => name);
/** Former names, which would otherwise be ignored silently. */
const renamed: Readonly<Record<string, string>> = {
  ORDER_LICENSE_KEYS: 'ORDER_LICENSE_LICENSE_KEYS',
  ORDER_LICENSE_LEDGER: 'ORDER_LICENSE_STORE',
};

/** Variables that Kubernetes sets in every pod for a Service whose name begins with `order-license`. */
const kubernetesName = /^ORDER_LICENSE_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_.+)?)$/;

/** Both take the name of a variable without the prefix, and refuse a placeholder that a client did not replace. */
export interface EnvironmentReader {
  /**
   * An empty value counts as not set.
   * @throws `configuration`
   */
  optional(name: string): string | undefined;
  /**
   * For limits: an empty value is refused, because a lost value would silently lift the limit.
   * @throws `configuration`
   */
  limiting(name: string): string | undefined;
}

/** @throws `configuration` for a name not in {@link variables} */
export const readEnvironment = (env: Environment): EnvironmentReader => {
  for (const name of Object.keys(env)) {
    const asRead = process.platform === 'win32' ? name.toUpperCase() : name; // names ignore case there
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
