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
  const compare = (value: unknown, { type, is, shape = {}, optional, nullable }: Form, path: string): void => {
    if (paths.length === maxPaths || (value === undefined && optional) || (value === null && nullable)) return;
    if (!hasType[type](value) || is?.(value) === false) paths.push(path);
    else if (type === 'object') {
      const start = path && `${path}.`;
      for (const [name, form] of Object.entries(shape)) compare((value as Fields)[name], form, start + name);
    } else if (type === 'list') {
      const element: Form = { type: 'object', shape };
      (value as unknown[]).some((one, index) => {
        compare(one, element, `${path}.${index}`);
        return paths.length === maxPaths;
      });
    }
  };
  compare(response, { type: 'object', shape }, '');
  return paths;
};

type Fields = Readonly<Record<string, unknown>>;
