// Shows the state of a mock, which it reads from the control API once a second.
const pauseMs = 1000;
const [connection, only, news] = ['#connection', '#only-violations', '#news'].map((name) =>
  document.querySelector(name),
);
let timer;
let isRunning = false;
let shownText;

/** Creates an element. Never parses text from the mock as markup. */
const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
};
const row = (...cells) => element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
const put = (selector, ...children) => document.querySelector(selector).replaceChildren(...children);
/** Sets a text only if it changed, since screen readers repeat it otherwise. */
const say = (place, text, isProblem) => {
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle('problem', isProblem);
};

const putList = (selector, texts, none) => {
  const items = texts.map((text) => element('li', {}, text));
  put(selector, ...(items.length > 0 ? items : [element('li', { class: 'quiet' }, none)]));
};

const show = ({ journal, rules, limits, clock, profile, settings, faults, orders }) => {
  showJournal(journal, rules);
  showLimits(limits);
  put(
    '#profile',
    `${profile}; the clock shows ${clock.iso.slice(0, 19).replace('T', ' ')} UTC${clock.frozen ? ' (frozen)' : ''}`,
  );
  const changed = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  putList('#settings', changed, 'All settings have their default values.');
  putList('#faults', faults.map(faultText), 'None.');
  put('#order-count', `Number of orders in the account business: ${orders.total}. The newest are shown.`);
  put('#orders tbody', ...orders.newest.map(({ id, status, created_at }) => row(id, status, created_at)));
};

/** Formats a fault in nearly the form that the mock accepts: `html; status=503`. */
const faultText = ({ kind, ...details }) =>
  [
    kind,
    ...Object.entries(details).map(
      ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
  ].join('; ');

const showJournal = ({ total, dropped, entries, newestViolation: broken }, rules) => {
  const what = broken?.violations.map(({ point, text }) => `${point} (${text})`).join(', ');
  const none = total === 0 ? 'No requests yet.' : 'No request violates a rule in the API docs.';
  const lost = dropped === 0 ? '' : ` The journal has dropped ${dropped} of ${total} requests.`;
  say(news, (broken ? `Request ${broken.number} violates ${what}.` : none) + lost, broken !== null);
  put('#journal tbody', ...entries.toReversed().flatMap((entry) => rowsOf(entry, rules)));
};

const rowsOf = ({ number, at, method, path, query, key = '', status, violations, answer = {}, fault }, rules) => {
  const { error, orders, total, orderId, licenseCodes } = answer;
  const response = [
    error,
    orders !== undefined && `${orders} of ${total} orders`,
    orderId !== undefined && `order ${orderId}, ${licenseCodes} ${licenseCodes === 1 ? 'code' : 'codes'}`,
    fault && `fault ${fault}`,
  ];
  const request = element('code', {}, `${method} ${path}${query && `?${query}`}`);
  const time = new Date(at).toISOString().slice(11, 19);
  return [
    row(number, time, status || 'none', request, key, response.filter(Boolean).join(', ')),
    ...violations.map(({ point, text }) => {
      const name = element('strong', { class: 'problem' }, `${point}: ${text}. `);
      const rule = (rules[point] ?? '').replaceAll('`', '');
      return element('tr', { class: 'rule' }, element('td', { colspan: 6 }, name, rule));
    }),
  ];
};

const showLimits = ({ limit, window, windowMs, keys }) => {
  const rule = `${limit} requests per ${windowMs / 1000} s for each API key (window: ${window})`;
  put('#limit-rule', limit === 'off' ? 'There is no limit.' : rule);
  put(
    '#limits tbody',
    ...keys.map(({ key, remaining, resetMs }) => {
      if (limit === 'off') return row(key, 'no limit');
      return row(key, `${remaining} of ${limit}`, resetMs === 0 ? '' : `more in ${Math.ceil(resetMs / 1000)} s`);
    }),
  );
};

/** Reads the state and shows it. Sends one request at a time, and none while the page is hidden. */
const poll = async () => {
  if (isRunning || document.hidden) return;
  isRunning = true;
  const started = performance.now();
  try {
    const response = await fetch(`overview${only.checked ? '?violations' : ''}`);
    const text = await response.text();
    if (!response.ok) throw new Error(JSON.parse(text).error);
    if (text !== shownText) show(JSON.parse(text));
    shownText = text;
    say(connection, 'Live', false);
  } catch (error) {
    say(
      connection,
      error instanceof TypeError ? 'The mock does not respond. This page keeps trying.' : error.message,
      true,
    );
  }
  isRunning = false;
  clearTimeout(timer);
  timer = setTimeout(poll, Math.max(0, pauseMs - (performance.now() - started)));
};

document.addEventListener('visibilitychange', poll);
document.querySelector('#reset').addEventListener('click', () => fetch('reset', { method: 'POST' }));
poll();
