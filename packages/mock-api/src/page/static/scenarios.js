import { call } from './call.js';
import { element, find, onChange, setOptions } from './dom.js';
import { onClick, onSubmit } from './form.js';

const scenario = find('#scenario select');
const list = find('#scenarios');

export const pollScenarios = async () => show(await call('GET', 'scenarios'));

const show = onChange(({ steps, scenarios }) => {
  if (scenario.options.length === 0) setOptions(scenario, scenarios);
  list.replaceChildren(
    ...(steps.length === 0
      ? [element('li', { class: 'quiet' }, 'No steps are pending.')]
      : steps.map((step) => element('li', {}, textOf(step)))),
  );
});

const textOf = ({ do: action, after, repeat, ...details }) => {
  const words = Object.entries(details).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const count = after === 1 ? 'request' : `${after} requests`;
  return `${[action, ...words].join(', ')}: after ${repeat ? `each ${count}` : count}`;
};

onSubmit('#scenario', async ({ scenario, options }) => {
  await call('POST', 'scenarios', { scenario, ...(options.trim() && { options: JSON.parse(options) }) });
  return `The scenario ${scenario} was started.`;
});
onClick('#clear-scenarios', async () => {
  await call('DELETE', 'scenarios');
  return 'The scenarios are cleared.';
});
