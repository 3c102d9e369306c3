import type { Form, Shape } from './form.ts';

const maxPaths = 20;

/** Returns the paths, at most 20, at which a response differs from its documented fields; never a value. */
export const findDeviations = (response: object, shape: Shape): string[] => {
  const paths: string[] = [];
  /** The names of the objects and lists that contain the value being compared. */
  const parents: (string | number)[] = [];
  /** Compares a value, and returns whether to go on. */
  const compare = (value: unknown, form: Form, name: string | number): boolean => {
    if ((value === undefined && form.optional) || (value === null && form.nullable)) return true;
    if (!form.is(value)) return paths.push([...parents, name].join('.')) < maxPaths;
    const { element, shape } = form;
    if (!element && !shape) return true;
    parents.push(name);
    const goesOn = element
      ? (value as unknown[]).every((inner, index) => compare(inner, element, index))
      : compareFields(value as object, shape as Shape);
    parents.pop();
    return goesOn;
  };
  const compareFields = (fields: object, shape: Shape): boolean => {
    // Unlike `Object.entries`, this creates no list for each object.
    for (const name in shape) {
      if (!compare((fields as Record<string, unknown>)[name], shape[name] as Form, name)) return false;
    }
    return true;
  };
  compareFields(response, shape);
  return paths;
};
