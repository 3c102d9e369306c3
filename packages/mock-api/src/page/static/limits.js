import { call } from './call.js';
import { element, find, onChange } from './dom.js';

const rule = find('#limit-rule');
const body = find('#limits tbody');

export const pollLimits = async () => show(await call('GET', 'limits'));

const show = onChange(({ limit, window, windowMs, keys }) => {
  rule.textContent =
    limit === 'off' ? 'There is no limit.' : `${limit} requests in ${windowMs / 1000} s for each key, window ${window}`;
  body.replaceChildren(...keys.map((key) => rowOf(limit, key)));
});

const rowOf = (limit, { key, remaining, resetMs }) => {
  const name = element('th', { scope: 'row' }, key);
  if (limit === 'off') return element('tr', {}, name, element('td', {}, 'no limit'), element('td', {}));
  const meter = element('meter', { min: 0, max: limit, value: remaining, 'aria-hidden': 'true' });
  const count = element('td', remaining === 0 ? { class: 'problem' } : {}, meter, `${remaining} of ${limit}`);
  const more = resetMs === 0 ? '' : `more in ${Math.ceil(resetMs / 1000)} s`;
  return element('tr', {}, name, count, element('td', {}, more));
};
