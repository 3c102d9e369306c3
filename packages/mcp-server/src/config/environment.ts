import { configurationError } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import { hasPlaceholder, isPlaceholder } from './placeholder.ts';
import { type VariableName, variables } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const names: readonly string[] = variables.map(({ name }) => name);

/**
 * The names of variables that Kubernetes sets in every pod, if there is a Service whose name begins with
 * `order-license`.
 */
const kubernetesName = /^ORDER_LICENSE_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_.+)?)$/;

/**
 * Reads one of the {@link variables}; undefined if it is not set, or empty.
 * @throws `configuration` for a placeholder, an empty limit, or a value that is not among the variable's choices
 */
export type ReadVariable = (name: VariableName) => string | undefined;

/**
 * Returns a reader of the environment variables, after checking their names.
 * @throws `configuration` for a name not in {@link variables}
 */
export const readEnvironment = (env: Environment): ReadVariable => {
  for (const name of Object.keys(env)) {
    const asRead = process.platform === 'win32' ? name.toUpperCase() : name; // Windows ignores the case of names
    if (!name.toUpperCase().startsWith('ORDER_LICENSE_') || names.includes(asRead) || kubernetesName.test(name))
      continue;
    throw configurationError(`${name} is not a setting`, `The settings are ${names.join(', ')}.`);
  }
  return (name) => {
    const { isLimit, choices } = variables.find((one) => one.name === name) ?? {};
    const value = env[name]?.trim();
    const isUnfilled = name === 'ORDER_LICENSE_API_KEY' ? isPlaceholder : hasPlaceholder;
    if (value && isUnfilled(value)) {
      throw configurationError(
        `${name} holds a placeholder that was not replaced`,
        "Set the variable in the environment that starts the client, or write the value into the client's configuration.",
      );
    }
    if (value === '' && isLimit) throw configurationError(`${name} is empty`, 'Set a value, or remove the variable.');
    if (value && choices && !choices.includes(value)) {
      const quoted = choices.map((one) => `\`${one}\``);
      throw configurationError(`${name} must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`);
    }
    return value || undefined;
  };
};

/**
 * Adds the name of the variable to an error from core, because core's own words, such as "base URL", do not occur in
 * client configurations.
 */
export const atPlace = <Value>(place: string, check: () => Value): Value => {
  try {
    return check();
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    throw configurationError(`${place}: ${error.detail}`, error.advice);
  }
};

/**
 * Reads a whole number from `least` to `most`.
 * @throws `configuration`
 */
export const readNumber = (what: string, text: string, least: number, most: number): number => {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw configurationError(`${what} must be a whole number from ${least} to ${most}`);
};
