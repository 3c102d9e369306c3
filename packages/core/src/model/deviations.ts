import type { Form, Shape } from './form.ts';

const maxPaths = 20;

/** Returns the paths, at most 20, at which a response differs from its documented fields; never a value. */
export const findDeviations = (response: object, shape: Shape): string[] => {
  const paths: string[] = [];
  /** Compares the fields of an object. Returns false once there are 20 paths. */
  const compareFields = (fields: object, shape: Shape, inside: string): boolean => {
    // Unlike `Object.entries`, this creates no list for each object.
    for (const name in shape) {
      if (!compare((fields as Record<string, unknown>)[name], shape[name] as Form, inside, name)) return false;
    }
    return true;
  };
  const compare = (value: unknown, form: Form, inside: string, name: string | number): boolean => {
    if ((value === undefined && form.optional) || (value === null && form.nullable)) return true;
    if (!form.is(value)) return paths.push(inside + name) < maxPaths;
    const { element, shape } = form;
    if (element)
      return (value as unknown[]).every((inner, index) => compare(inner, element, `${inside}${name}.`, index));
    return !shape || compareFields(value as object, shape, `${inside}${name}.`);
  };
  compareFields(response, shape, '');
  return paths;
};
