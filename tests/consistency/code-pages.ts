/** The part of a `get_order` answer with some of the license codes that is needed here. */
export interface CodePage extends Record<string, unknown> {
  items?: Record<string, unknown>[];
  license_codes: CodeGroup[];
  continue?: object;
}

interface CodeGroup extends Record<string, unknown> {
  item: unknown;
  product_name: unknown;
  same?: Record<string, unknown>;
  columns: string[];
  rows: unknown[][];
}

/** The order as the service sends it: the fields of a code in the order of the API docs (§2.6), then any others. */
export const joinCodePages = (pages: readonly CodePage[]): object => {
  const [first] = pages;
  if (!first) throw new Error('The page is missing.');
  const groups = pages.flatMap(({ license_codes }) => license_codes);
  const whole = (first.items ?? []).map(({ number_of_codes, ...item }) => {
    const ofItem = groups.filter((group) => group.item === item.id).flatMap(codesOf);
    if (ofItem.length !== (number_of_codes ?? 0))
      throw new Error('The number of codes differs from the announced one.');
    return number_of_codes === undefined ? item : { ...item, license_codes: ofItem };
  });
  const entries = Object.entries(first).filter(([name]) => !ofPage.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, name === 'items' ? whole : value]));
};

const ofPage = ['license_codes', 'code_page', 'code_pages', 'codes', 'codes_left', 'continue'];
const documented = ['id', 'license_key', 'code_typ', 'download_url_64', 'download_url_32', 'aktivierungen_bestellung'];

const codesOf = ({ item, product_name, same, columns, rows, ...shared }: CodeGroup): object[] =>
  rows.map((row) => {
    const code = { ...shared, ...same, ...Object.fromEntries(columns.map((name, index) => [name, row[index]])) };
    const inOrder = documented.filter((name) => Object.hasOwn(code, name)).map((name) => [name, code[name as never]]);
    return { ...Object.fromEntries(inOrder), ...code };
  });
