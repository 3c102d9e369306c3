import { type ControlCall, controlCalls } from '../control/calls.ts';
import type { Overview } from '../control/overview.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import { utcText } from '../limit/utc-time.ts';
import { textOf } from '../settings/json.ts';

/** Returns HTML. It is a function because the value of an order can be anything except a function. */
type Html = () => string;

/** Writes HTML. Escapes each value that isn't HTML itself; a list is written without separators. */
const html =
  (parts: TemplateStringsArray, ...values: unknown[]): Html =>
  () =>
    String.raw({ raw: parts }, ...values.map(written));

const written = (value: unknown): string => {
  if (typeof value === 'function') return value();
  return Array.isArray(value) ? value.map(written).join('') : escaped(textOf(value));
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Returns the page. Its script replaces the elements that have `data-live` once a second.
 * @param controlUrl the URL of the control API, for the curl calls on the page
 */
export const pageHtml = (overview: Overview, controlUrl: string): string => {
  const { journal, rules, limits, clock, profile, settings, faults, orders } = overview;
  const changed = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mock API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page/page.css">
<script type="module" src="page/page.js"></script>
</head>
<body>
<header>
  <h1>Mock API</h1>
  <p id="connection" role="status">Connecting …</p>
  <button type="button" id="reset">Reset mock</button>
</header>
<main>
  <section aria-labelledby="journal-title">
    <div class="title">
      <h2 id="journal-title">Journal</h2>
      <label><input type="checkbox" id="only-violations"> Only violations</label>
    </div>
    <p id="news" aria-live="polite" data-live>${newsOf(journal)}</p>
    <table id="journal">
      <caption class="hidden">The newest 100 requests, newest first</caption>
      <thead><tr><th>No.</th><th>Time (UTC)</th><th>Status</th><th>Request</th><th>Key</th><th>Response</th></tr></thead>
      <tbody id="requests" data-live>${journal.entries.toReversed().map((entry) => rowsOf(entry, rules))}</tbody>
    </table>
  </section>
  <div>
    <section aria-labelledby="limits-title">
      <h2 id="limits-title">Limits</h2>
      <p class="quiet" id="limit-rule" data-live>${limitOf(limits)}</p>
      <table id="limits" data-live><tbody>${keyRows(limits)}</tbody></table>
    </section>
    <section aria-labelledby="profile-title">
      <h2 id="profile-title">Profile</h2>
      <p id="profile" data-live>${profile}; the clock shows ${utcText(clock.now)} UTC${clock.frozen ? ' (frozen)' : ''}</p>
      <ul id="settings" data-live>${list(changed, 'All settings have their default values.')}</ul>
    </section>
    <section aria-labelledby="faults-title">
      <h2 id="faults-title">Pending faults</h2>
      <ul id="faults" data-live>${list(faults.map(faultText), 'None.')}</ul>
    </section>
    <section aria-labelledby="orders-title">
      <h2 id="orders-title">Orders</h2>
      <p class="quiet" id="order-count" data-live>Number of orders in the account business: ${orders.total}. The newest are shown.</p>
      <table id="orders" data-live><tbody>${orders.newest.map((order) => row(order.id, order.status, order.created_at))}</tbody></table>
    </section>
  </div>
  <section aria-labelledby="calls-title" class="wide">
    <h2 id="calls-title">Change the mock with curl</h2>
    <dl>${controlCalls.filter(({ method }) => method !== 'GET').map((call) => curlOf(call, controlUrl))}</dl>
  </section>
</main>
</body>
</html>
`;
  return page();
};

const row = (...cells: unknown[]): Html => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;

const list = (texts: readonly string[], none: string): Html[] =>
  texts.length > 0 ? texts.map((text) => html`<li>${text}</li>`) : [html`<li class="quiet">${none}</li>`];

/** Formats a fault in nearly the form that the mock accepts: `html; status=503`. */
const faultText = ({ kind, ...details }: Overview['faults'][number]): string => {
  const texts = Object.entries(details).map(([name, value]) => {
    return `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`;
  });
  return [kind, ...texts].join('; ');
};

const newsOf = ({ total, dropped, newestViolation: broken }: Overview['journal']): Html => {
  const lost = dropped === 0 ? '' : ` The journal has dropped ${dropped} of ${total} requests.`;
  if (!broken) return html`${total === 0 ? 'No requests yet.' : 'No request violates a rule in the API docs.'}${lost}`;
  const what = broken.violations.map(({ point, text }) => `${point} (${text})`).join(', ');
  return html`<span class="problem">Request ${broken.number} violates ${what}.${lost}</span>`;
};

const rowsOf = (entry: JournalEntry, rules: Overview['rules']): Html[] => {
  const { number, at, method, path, query, key = '', status, violations, answer = {}, fault } = entry;
  const { error, orders, total, orderId, licenseCodes } = answer;
  const response = [
    error,
    orders !== undefined && `${orders} of ${total} orders`,
    orderId !== undefined && `order ${orderId}, ${licenseCodes} ${licenseCodes === 1 ? 'code' : 'codes'}`,
    fault && `fault ${fault}`,
  ];
  const request = html`<code>${method} ${path}${query && `?${query}`}</code>`;
  return [
    row(number, utcText(at).slice(11), status || 'none', request, key, response.filter(Boolean).join(', ')),
    ...violations.map(({ point, text }) => {
      const rule = (rules[point] ?? '').replaceAll('`', '');
      return html`<tr class="rule"><td colspan="6"><strong class="problem">${point}: ${text}. </strong>${rule}</td></tr>`;
    }),
  ];
};

const limitOf = ({ limit, window, windowMs }: Overview['limits']): string =>
  limit === 'off'
    ? 'There is no limit.'
    : `${limit} requests per ${windowMs / 1000} s for each API key (window: ${window})`;

const keyRows = ({ limit, keys }: Overview['limits']): Html[] =>
  keys.map(({ key, remaining, resetMs }) => {
    if (limit === 'off') return row(key, 'no limit');
    return row(key, `${remaining} of ${limit}`, resetMs === 0 ? '' : `more in ${Math.ceil(resetMs / 1000)} s`);
  });

const curlOf = ({ method, path, about, body }: ControlCall, controlUrl: string): Html => {
  const data = body ? ` -d '${JSON.stringify(body)}'` : '';
  return html`<dt><code>curl -X ${method} ${controlUrl}${path}${data}</code></dt><dd>${about}</dd>\n`;
};
