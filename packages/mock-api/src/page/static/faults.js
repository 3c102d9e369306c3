import { call } from './call.js';
import { element, find, onChange, setOptions } from './dom.js';
import { onClick, onSubmit } from './form.js';

const kind = find('#fault select[name="kind"]');
const about = find('#fault-about');
const list = find('#faults');
let kinds = {};

export const pollFaults = async () => show(await call('GET', 'faults'));

const show = onChange(({ faults, kinds: all }) => {
  kinds = all;
  if (kind.options.length === 0) setOptions(kind, Object.keys(kinds));
  showAbout();
  list.replaceChildren(
    ...(faults.length === 0
      ? [element('li', { class: 'quiet' }, 'No faults are pending.')]
      : faults.map((fault) => element('li', {}, textOf(fault)))),
  );
});

const showAbout = () => {
  about.textContent = kinds[kind.value].about;
};
kind.addEventListener('change', showAbout);

const textOf = ({ kind, applied, probability, times = probability === undefined ? 1 : 'always', headers, ...rest }) => {
  const details = Object.entries({ ...(probability !== undefined && { probability }), ...rest });
  const words = [kind, ...details.map(([name, value]) => `${name} ${value}`)];
  if (headers) words.push(`headers ${Object.keys(headers).join(' ')}`);
  return `${words.join(', ')}: hit ${applied}${times === 'always' ? ' so far' : ` of ${times}`}`;
};

onSubmit('#fault', async ({ kind, status, operation, times }) => {
  await call('POST', 'faults', {
    kind,
    ...(status && { status: Number(status) }),
    ...(operation && { operation }),
    times: times === 'always' ? times : Number(times),
  });
  return `The fault ${kind} was added.`;
});
onClick('#clear-faults', async () => {
  await call('DELETE', 'faults');
  return 'The faults are cleared.';
});
