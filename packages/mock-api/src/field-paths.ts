/**
 * Removes or nulls the fields that the dialect names.
 * @param roots the objects that the first segment of a path can mean, e.g. `{ order, 'items[]': items }`
 */
export function dropFields(roots: Record<string, unknown>, missing: readonly string[], nulls: readonly string[]): void {
  const edit = (path: string, change: (owner: Record<string, unknown>, field: string) => void): void => {
    const cut = path.lastIndexOf('.');
    const owners = roots[path.slice(0, cut)];
    const field = path.slice(cut + 1);
    for (const owner of Array.isArray(owners) ? owners : owners ? [owners] : []) change(owner, field);
  };
  for (const path of missing) edit(path, (owner, field) => delete owner[field]);
  for (const path of nulls) {
    edit(path, (owner, field) => {
      if (field in owner) owner[field] = null;
    });
  }
}
