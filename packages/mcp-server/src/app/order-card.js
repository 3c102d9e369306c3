// The script of the order card, which shows the result of order_license_get_order to people. It communicates only with
// its host, according to MCP Apps 2026-01-26. Texts from the shop become text nodes, never markup. Messages to the host
// contain no license keys.
const ticketsMetaKey = 'io.github.order-license/tickets';
/** Maximum wait for a response, ms; the server responds within 45 s. */
const maxWaitMs = 60_000;

const root = document.documentElement;
const main = document.querySelector('main');
const status = document.querySelector('[role="status"]');

// Texts

/** The card's texts in German, by the English text. Each # is replaced with a value. */
const german = {
  'Waiting for the order…': 'Die Bestellung wird geladen …',
  'This app did not respond.': 'Diese App hat nicht geantwortet.',
  'The call was cancelled.': 'Der Aufruf wurde abgebrochen.',
  'The order could not be read': 'Die Bestellung konnte nicht gelesen werden',
  'Order #': 'Bestellung #',
  'No license codes to show.': 'Keine Lizenzcodes anzuzeigen.',
  Product: 'Produkt',
  Quantity: 'Menge',
  Codes: 'Codes',
  'Reveal license codes': 'Lizenzcodes anzeigen',
  'Reading the license codes…': 'Die Lizenzcodes werden gelesen …',
  'The order was read more than five minutes ago. Ask for it again to see its license codes.':
    'Die Bestellung wurde vor mehr als fünf Minuten gelesen. Fragen Sie erneut danach, um die Lizenzcodes zu sehen.',
  'The license codes could not be read. #': 'Die Lizenzcodes konnten nicht gelesen werden. #',
  '1 license code': '1 Lizenzcode',
  '# license codes': '# Lizenzcodes',
  'Copy all # keys': 'Alle # Schlüssel kopieren',
  Hide: 'Verbergen',
  'The license codes are hidden.': 'Die Lizenzcodes sind verborgen.',
  '# activations': '# Aktivierungen',
  Copy: 'Kopieren',
  'Copy key #': 'Schlüssel # kopieren',
  '64-bit': '64 Bit',
  '32-bit': '32 Bit',
  'Copied.': 'Kopiert.',
  'This app does not allow copying from the card. The text is selected: press Ctrl+C, or ⌘C on a Mac.':
    'In dieser App kann die Karte nichts kopieren. Der Text ist markiert: Drücken Sie Strg+C, auf dem Mac ⌘C.',
  'This app does not support the order card.': 'Diese App unterstützt die Bestellkarte nicht.',
};

/** Translates a text to the host's language, and replaces each # with a value. */
const words = (english, ...values) => {
  const sentence = (root.lang === 'de' && german[english]) || english;
  return sentence.replace(/#/g, () => values.shift());
};
const inNumbers = (number) => number.toLocaleString(root.lang);

const say = (sentence) => {
  status.textContent = sentence;
};

// Messages between the card and its host

const waiting = new Map();

const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

const request = (method, params) => {
  const id = waiting.size + 1;
  const { promise, resolve, reject } = Promise.withResolvers();
  waiting.set(id, { resolve, reject });
  setTimeout(() => reject({ message: words('This app did not respond.') }), maxWaitMs);
  send({ id, method, params });
  return promise;
};

/** Handles the host's messages, by method; a request gets an empty result. */
const handlers = new Map([
  ['ping', () => undefined],
  ['ui/resource-teardown', () => main.replaceChildren()],
  ['ui/notifications/tool-result', (result) => showResult(result)],
  ['ui/notifications/tool-cancelled', () => main.replaceChildren(words('The call was cancelled.'))],
  ['ui/notifications/host-context-changed', (context) => applyContext(context)],
]);

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  const { id, method, params = {}, result, error } = data;
  if (method === undefined) {
    if (error) waiting.get(id)?.reject(error);
    else waiting.get(id)?.resolve(result);
    return;
  }
  const handle = handlers.get(method);
  handle?.(params);
  if (id === undefined) return;
  send(handle ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } });
});

const applyContext = ({ theme, styles, locale }) => {
  if (typeof locale === 'string') root.lang = /^de\b/i.test(locale) ? 'de' : 'en';
  if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) root.style.setProperty(name, value ?? '');
};

// Showing the order

const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
};

const button = (label, onClick, attributes = {}) => {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
};

/** Converts any value to text: the shop's data could contain anything. */
const text = (value) => (typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? ''));
const list = (value) => (Array.isArray(value) ? value : []);
const objects = (value) => list(value).filter((one) => typeof one === 'object' && one !== null);
const factsOf = (facts) => element('span', { class: 'quiet' }, facts.filter(Boolean).map(text).join(' · '));

/** Returns the rows of a table as objects. */
const rowsOf = ({ same, columns, rows }) =>
  objects(rows).map((row) => ({ ...same, ...Object.fromEntries(list(columns).map((name, at) => [name, row[at]])) }));

const showResult = ({ isError, content, structuredContent, _meta }) => {
  const { orders, items, failed } = structuredContent ?? {};
  const all = rowsOf(items ?? {});
  const shown = orders?.rows
    ? rowsOf(orders).map((order) => ({ ...order, items: all.filter((item) => item.order === order.id) }))
    : objects([structuredContent]);
  const tickets = new Map(objects(_meta?.[ticketsMetaKey]).map((ticket) => [text(ticket.id), ticket]));
  const sections = [
    ...shown.map((order) => describeOrder(order, tickets.get(text(order.id)))),
    ...objects(failed).map(describeFailure),
  ];
  if (!isError && sections.length > 0) main.replaceChildren(...sections);
  else {
    const said = objects(content).map((one) => text(one.text));
    main.replaceChildren(element('h2', {}, words('The order could not be read')), said.join('\n'));
  }
};

const section = (order, ...children) =>
  element('section', {}, element('h2', {}, words('Order #', text(order))), ...children);

const describeFailure = ({ id, detail, advice }) =>
  section(id, element('p', { class: 'problem' }, [detail, advice].map(text).join('. ')));

const describeOrder = (order, ticket) => {
  const { id, bestellnummer, status, created_at, gesamtpreis_brutto, waehrung } = order;
  const place = element('div', {}, ticket ? '' : words('No license codes to show.'));
  if (ticket) offer(place, ticket);
  const facts = [
    status,
    created_at && `${text(created_at)} UTC`,
    gesamtpreis_brutto && `${text(gesamtpreis_brutto)} ${text(waehrung)}`,
  ];
  return section(bestellnummer ?? id, factsOf(facts), describeItems(objects(order.items)), place);
};

const describeItems = (items) => {
  const row = (name, cells) => element('tr', {}, ...cells.map((cell) => element(name, {}, text(cell))));
  const rows = items.map(({ product_name, menge, number_of_codes, license_codes }) =>
    row('td', [product_name, menge, number_of_codes ?? list(license_codes).length]),
  );
  const titles = row(
    'th',
    ['Product', 'Quantity', 'Codes'].map((title) => words(title)),
  );
  return items.length === 0 ? '' : element('table', {}, element('thead', {}, titles), element('tbody', {}, ...rows));
};

// Showing the license codes

const offer = (place, ticket) => {
  const reveal = button(words('Reveal license codes'), async () => {
    reveal.disabled = true;
    say(words('Reading the license codes…'));
    try {
      const { contents } = await request('resources/read', { uri: ticket.uri });
      const codes = objects(JSON.parse(contents[0].text).codes);
      showCodes(
        place,
        ticket,
        codes.map((code, at) => ({ ...code, number: at + 1 })),
      );
    } catch (error) {
      const hasExpired = error.data?.reason === 'expired' || Date.now() > Date.parse(ticket.expires_at);
      const why = hasExpired
        ? words('The order was read more than five minutes ago. Ask for it again to see its license codes.')
        : words('The license codes could not be read. #', text(error.message));
      reveal.disabled = false;
      place.replaceChildren(element('p', { class: 'problem', role: 'alert' }, why), hasExpired ? '' : reveal);
    }
    say('');
  });
  place.replaceChildren(reveal);
  return reveal;
};

const showCodes = (place, ticket, codes) => {
  const count = inNumbers(codes.length);
  const title = codes.length === 1 ? words('1 license code') : words('# license codes', count);
  const heading = element('h3', { tabindex: '-1' }, title);
  const shown = element('div', { class: 'long' }, ...describeCodes(codes));
  const all = element(
    'pre',
    { class: 'long', hidden: '' },
    codes.map(({ license_key }) => text(license_key)).join('\n'),
  );
  const copyAll = codes.length > 1 ? button(words('Copy all # keys', count), () => copy(all)) : '';
  const hide = button(words('Hide'), () => {
    offer(place, ticket).focus();
    say(words('The license codes are hidden.'));
  });
  place.replaceChildren(heading, shown, element('div', { class: 'row' }, copyAll, hide), all);
  heading.focus();
};

/** Lists the codes of each product under its name. */
const describeCodes = (codes) =>
  [...Map.groupBy(codes, ({ product_name }) => text(product_name))].flatMap(([product, group]) => [
    element('p', { class: 'quiet' }, product),
    element('ul', {}, ...group.map(describeCode)),
  ]);

const describeCode = ({ number, license_key, code_typ, aktivierungen_bestellung, ...code }) => {
  const key = element('code', {}, text(license_key));
  const activations = text(aktivierungen_bestellung);
  const addresses = [
    ['64-bit', code.download_url_64],
    ['32-bit', code.download_url_32],
  ].map(([label, url]) => (url ? element('p', { class: 'quiet' }, `${words(label)}: ${text(url)}`) : ''));
  return element(
    'li',
    {},
    key,
    factsOf([code_typ, activations > 1 && words('# activations', activations)]),
    button(words('Copy'), () => copy(key), { 'aria-label': words('Copy key #', number) }),
    ...addresses,
  );
};

/**
 * Copies the text of a node. Some hosts deny access to the clipboard: then the text is selected, so that the user can
 * copy it.
 */
const copy = async (node) => {
  try {
    await navigator.clipboard.writeText(node.textContent);
    say(words('Copied.'));
  } catch {
    node.hidden = false;
    getSelection().selectAllChildren(node);
    say(words('This app does not allow copying from the card. The text is selected: press Ctrl+C, or ⌘C on a Mac.'));
  }
};

// Start-up

new ResizeObserver(() => {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  send({ method: 'ui/notifications/size-changed', params: { width: innerWidth, height } });
}).observe(document.body);

request('ui/initialize', {
  appInfo: { name: 'order-card', version: '1.0.0' },
  appCapabilities: {},
  protocolVersion: '2026-01-26',
}).then(
  ({ hostContext }) => {
    applyContext(hostContext ?? {});
    main.replaceChildren(words('Waiting for the order…'));
    send({ method: 'ui/notifications/initialized' });
  },
  () => main.replaceChildren(words('This app does not support the order card.')),
);
