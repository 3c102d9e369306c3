import { isObject } from '../base/checks.ts';
import type { Form, Shape } from './form.ts';

const maxPaths = 20;

const hasType: Record<Form['type'], (value: unknown) => boolean> = {
  integer: Number.isSafeInteger,
  string: (value) => typeof value === 'string',
  object: isObject,
  list: Array.isArray,
};

/** Where a value stands in the response. Its path is written only if the value deviates. */
interface Position {
  parent: Position | undefined;
  name: string | number;
}

const pathOf = (position: Position | undefined, name: string | number): string =>
  position ? `${pathOf(position.parent, position.name)}.${name}` : String(name);

/** The fields of each shape as a list, since every response is compared with the same few shapes. */
const fieldsOf = new WeakMap<Shape, [name: string, form: Form][]>();

const listFields = (shape: Shape): [name: string, form: Form][] => {
  const fields = fieldsOf.get(shape) ?? Object.entries(shape);
  fieldsOf.set(shape, fields);
  return fields;
};

/** Returns the paths, at most 20, at which a response differs from its documented fields; never a value. */
export const findDeviations = (response: object, shape: Shape): string[] => {
  const paths: string[] = [];
  const compareFields = (value: object, shape: Shape, parent: Position | undefined): void => {
    for (const [name, form] of listFields(shape)) {
      if (paths.length === maxPaths) return;
      compare((value as Record<string, unknown>)[name], form, parent, name);
    }
  };
  const compare = (value: unknown, form: Form, parent: Position | undefined, name: string): void => {
    if ((value === undefined && form.optional) || (value === null && form.nullable)) return;
    if (!hasType[form.type](value) || form.is?.(value) === false) paths.push(pathOf(parent, name));
    else if (form.type === 'object') compareFields(value as object, form.shape ?? {}, { parent, name });
    else if (form.type === 'list') compareElements(value as unknown[], form.shape ?? {}, { parent, name });
  };
  const compareElements = (elements: unknown[], shape: Shape, parent: Position): void => {
    for (const [index, element] of elements.entries()) {
      if (paths.length === maxPaths) return;
      if (isObject(element)) compareFields(element, shape, { parent, name: index });
      else paths.push(pathOf(parent, index));
    }
  };
  compareFields(response, shape, undefined);
  return paths;
};
