import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { FetchLike } from './in-process.fixture.ts';

const { paths } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
const examplesOf = (path: string) => paths[path].get.responses[200].content['application/json'].examples;
const listed = examplesOf('/orders').page.value.data.orders[0];
const detail = examplesOf('/orders/{id}').paid.value.data;
const user = examplesOf('/me').owner.value.data;

const statuses = ['bezahlt', 'abgeschlossen', 'ausstehend', 'storniert'];
const orders = Array.from({ length: 65 }, (_, n) => ({
  ...listed,
  id: 500 - n,
  bestellnummer: `X${500 - n}`,
  status: statuses[n % 4],
  zahlungsstatus: ['bezahlt', 'bezahlt', 'offen', 'erstattet'][n % 4],
  created_at: new Date(Date.UTC(2026, 4, 1) - n * 86_400_000).toISOString().slice(0, 19).replace('T', ' '),
  lieferstatus: n % 4 < 2 ? 'geliefert' : 'offen',
}));

const detailOf = ({ id, bestellnummer, status }: (typeof orders)[0]) => {
  const [item] = detail.items;
  const [code] = item.license_codes;
  const license_codes = ['bezahlt', 'abgeschlossen'].includes(status)
    ? [{ ...code, ...(id % 3 && { download_url_32: null }) }]
    : [];
  return { ...detail, id, bestellnummer, status, items: [{ ...item, license_codes }], billing_address: {} };
};

const json = (status: number, body: object): Response =>
  Response.json({ status, ...body }, { status, headers: { 'content-type': 'application/json; charset=utf-8' } });

type ReadNumber = (text: string | null, standard: number, max: number) => number | undefined;
const exact: ReadNumber = (text, standard, max) => {
  if (text === null) return standard;
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : undefined;
};

/** A small server that follows the API docs, written without the mock. */
const serve =
  (read: ReadNumber): FetchLike =>
  async (address, { headers }) => {
    const { pathname, searchParams } = new URL(address);
    if (!/^bearer secret$/i.test(new Headers(headers).get('authorization') ?? ''))
      return json(401, { error: 'The API key is invalid.' });
    const path = pathname.replace('/api/v1', '');
    if (path === '/me') return json(200, { data: user });
    if (path.startsWith('/orders/')) {
      const id = path.slice('/orders/'.length);
      const order = orders.find((one) => String(one.id) === id);
      if (order) return json(200, { data: detailOf(order) });
      return json(/^\d+$/.test(id) ? 404 : 400, { error: 'There is no such order.' });
    }
    if (path !== '/orders') return json(404, { error: 'Not found.' });
    const filter = searchParams.get('status');
    const perPage = read(searchParams.get('per_page'), 20, 50);
    const page = read(searchParams.get('page'), 1, 1e9);
    if (perPage === undefined || page === undefined || (filter !== null && !statuses.includes(filter)))
      return json(400, { error: 'The request is invalid.' });
    const found = orders.filter(({ status }) => filter === null || status === filter);
    const pagination = { page, per_page: perPage, total: found.length, pages: Math.ceil(found.length / perPage) };
    return json(200, { data: { orders: found.slice((page - 1) * perPage, page * perPage), pagination } });
  };

export const strictService = serve(exact);

/** Writes numbers as texts, and empty objects as empty lists. */
const asPhp = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asPhp);
  const entries = Object.entries(value).map(([name, inner]) => [name, asPhp(inner)]);
  return entries.length === 0 ? [] : Object.fromEntries(entries);
};
const cast: ReadNumber = (text, standard, max) =>
  text === null ? standard : Math.min(max, Math.max(1, Number.parseInt(text, 10) || 0));
const castingService = serve(cast);

/** A server that casts parameters and writes numbers as PHP with MySQL does. */
export const phpService: FetchLike = async (url, init) => {
  const response = await castingService(url, init);
  const { data, ...body } = (await response.json()) as Record<string, unknown>;
  return json(response.status, { ...body, ...(data === undefined ? {} : { data: asPhp(data) }) });
};

/** A proxy that shows pages of its own for the eighth request and for errors. */
export const createProxy = (): FetchLike => {
  let count = 0;
  const page = (status: number) =>
    new Response(`<html>${status}</html>`, { status, headers: { 'content-type': 'text/html', 'retry-after': '1' } });
  return async (url, init) => {
    if (++count === 8) return page(429);
    const response = await strictService(url, init);
    return response.status >= 400 ? page(response.status) : response;
  };
};
