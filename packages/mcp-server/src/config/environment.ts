import { isOrderLicenseError, OrderLicenseError } from '@order-license/core/portable';
import { variables } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const prefix = 'ORDER_LICENSE_';
const names = variables.map(({ name }) => name);

/** Variables that Kubernetes sets in every pod for a Service whose name begins with `order-license`. */
const kubernetesName = /^ORDER_LICENSE_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_.+)?)$/;

/** What a client or a shell did not replace. */
const placeholder = /\$[{(]|\{\{|^["']?(\$\w+|%\w+%)["']?$/;

/** Each takes the name of a variable without the prefix, and rejects a placeholder. */
export interface EnvironmentReader {
  /**
   * An empty value counts as not set.
   * @throws `configuration`
   */
  optional(name: string): string | undefined;
  /**
   * For limits: an empty value is rejected, because a lost value would silently lift the limit.
   * @throws `configuration`
   */
  limiting(name: string): string | undefined;
  /**
   * A limit with choices, of which the first is the default.
   * @throws `configuration`
   */
  choice(name: string): string;
}

/** @throws `configuration` for a name not in {@link variables} */
export const readEnvironment = (env: Environment): EnvironmentReader => {
  for (const name of Object.keys(env)) {
    const asRead = process.platform === 'win32' ? name.toUpperCase() : name; // names ignore case there
    if (!name.toUpperCase().startsWith(prefix) || names.includes(asRead) || kubernetesName.test(name)) continue;
    throw misconfigured(`${name} is not a setting`, `The settings are ${names.join(', ')}.`);
  }
  const optional = (name: string): string | undefined => {
    const value = env[prefix + name]?.trim();
    if (value && placeholder.test(value)) {
      throw misconfigured(
        `${prefix}${name} holds a placeholder that was not replaced`,
        "Set the variable in the environment that starts the client, or write the value into the client's configuration.",
      );
    }
    return value || undefined;
  };
  const limiting = (name: string): string | undefined => {
    const value = optional(name);
    if (value === undefined && env[prefix + name] !== undefined) {
      throw misconfigured(`${prefix}${name} is empty`, 'Set a value, or remove it.');
    }
    return value;
  };
  const choice = (name: string): string => {
    const choices = variables.find((one) => one.name === prefix + name)?.choices ?? [];
    const value = limiting(name) ?? choices[0] ?? '';
    if (choices.includes(value)) return value;
    const quoted = choices.map((one) => `\`${one}\``);
    throw misconfigured(`${prefix}${name} must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`);
  };
  return { optional, limiting, choice };
};

export const misconfigured = (detail: string, advice?: string): OrderLicenseError =>
  new OrderLicenseError('configuration', { detail, advice });

/** Names the place of a wrong value, which core doesn't know: a client's configuration has no "base URL". */
export const atPlace = <Value>(place: string, check: () => Value): Value => {
  try {
    return check();
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    throw misconfigured(`${place}: ${error.detail}`, error.advice);
  }
};

/**
 * A whole number from `least` to `most`.
 * @throws `configuration`
 */
export const readNumber = (what: string, text: string, least: number, most: number): number => {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw misconfigured(`${what} must be a whole number from ${least} to ${most}`);
};
