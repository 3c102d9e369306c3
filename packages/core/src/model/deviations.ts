import { isObject } from '../base/checks.ts';
import type { Form, Shape } from './form.ts';

const maxPaths = 20;

const hasType: Record<Form['type'], (value: unknown) => boolean> = {
  integer: Number.isSafeInteger,
  string: (value) => typeof value === 'string',
  object: isObject,
  list: Array.isArray,
};

/** Returns the paths, at most 20, at which a response differs from its documented fields; never a value. */
export const findDeviations = (response: object, shape: Shape): string[] => {
  const paths: string[] = [];
  const compareFields = (value: object, shape: Shape, start: string): void => {
    for (const [name, form] of Object.entries(shape)) {
      if (paths.length === maxPaths) return;
      compare((value as Record<string, unknown>)[name], form, start + name);
    }
  };
  const compare = (value: unknown, form: Form, path: string): void => {
    if ((value === undefined && form.optional) || (value === null && form.nullable)) return;
    if (!hasType[form.type](value) || form.is?.(value) === false) paths.push(path);
    else if (form.type === 'object') compareFields(value as object, form.shape ?? {}, `${path}.`);
    else if (form.type === 'list') compareElements(value as unknown[], form.shape ?? {}, path);
  };
  const compareElements = (elements: unknown[], shape: Shape, path: string): void => {
    const element: Form = { type: 'object', shape };
    for (let index = 0; index < elements.length && paths.length < maxPaths; index++) {
      compare(elements[index], element, `${path}.${index}`);
    }
  };
  compareFields(response, shape, '');
  return paths;
};
