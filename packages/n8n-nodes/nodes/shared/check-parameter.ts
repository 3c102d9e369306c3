import { NodeOperationError } from 'n8n-workflow';
import { withDetails } from './errors';
import type { NodeContext } from './host';

/** A parameter that an expression can set to any value. */
export interface GivenParameter {
  context: NodeContext;
  /** As the editor shows it. */
  label: string;
  given: unknown;
  itemIndex?: number | undefined;
}

/** @throws {NodeOperationError} for anything but true and false, such as the string `false` */
export const checkSwitch = (parameter: GivenParameter): boolean => {
  const { label, given } = parameter;
  if (typeof given === 'boolean') return given;
  throw refusal(parameter, `'${label}' is neither true nor false`, 'An expression has to return true or false.');
};

/** @throws {NodeOperationError} for any other value */
export const checkChoice = <Choice extends string>(parameter: GivenParameter, choices: readonly Choice[]): Choice => {
  const { label, given } = parameter;
  const choice = choices.find((one) => one === given);
  if (choice !== undefined) return choice;
  throw refusal(parameter, `'${label}' has an unknown value`, `Choose one of ${choices.join(', ')}.`);
};

/**
 * A list of choices, or a comma-separated string.
 * @throws {NodeOperationError} for any other value
 */
export const checkChoices = <Choice extends string>(
  parameter: GivenParameter,
  choices: readonly Choice[],
  { atLeast = 0 }: { atLeast?: number } = {},
): Choice[] => {
  const { label, given } = parameter;
  const list: unknown[] = typeof given === 'string' ? given.split(',').map((one) => one.trim()) : [given].flat();
  const chosen = choices.filter((choice) => list.includes(choice));
  if (chosen.length >= atLeast && list.every((one) => chosen.some((choice) => choice === one))) return chosen;
  const what = list.length === 0 ? 'is empty' : 'has an unknown value';
  throw refusal(parameter, `'${label}' ${what}`, `Choose one or more of ${choices.join(', ')}.`);
};

const refusal = ({ context, itemIndex }: GivenParameter, message: string, description: string): NodeOperationError => {
  const failure = { cause: 'configuration-invalid' } as const;
  const error = new NodeOperationError(context.getNode(), message, { description, failure, itemIndex });
  return withDetails(error, { code: 'bad_request' });
};
