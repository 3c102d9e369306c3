import { call } from './call.js';
import { element, find, onChange, setOptions } from './dom.js';
import { onSubmit } from './form.js';

const profile = find('#profile select');
const setting = find('#setting select');
const place = find('#setting-value');
const about = find('#setting-about');
const changed = find('#changed-settings');
let settings = {};

export const pollSettings = async () => show(await call('GET', 'settings'));

const show = onChange(({ profile: used, profiles, settings: now }) => {
  settings = now;
  if (profile.options.length === 0) setOptions(profile, profiles);
  profile.value = used;
  if (setting.options.length === 0) setOptions(setting, Object.keys(settings));
  showSetting();
  const other = Object.entries(settings).filter(([, { value, default: usual }]) => textOf(value) !== textOf(usual));
  changed.replaceChildren(
    ...(other.length === 0
      ? [element('li', { class: 'quiet' }, 'None')]
      : other.map(([name, { value }]) => element('li', {}, element('code', {}, `${name} = ${textOf(value)}`)))),
  );
});

/** Shows the input for the value of the selected setting. */
const showSetting = () => {
  const { kind, values, value, about: sentence, points, min, max } = settings[setting.value];
  const control = kind === 'choice' ? element('select', { name: 'value' }) : element('input', { name: 'value' });
  if (kind === 'choice') setOptions(control, values);
  if (kind === 'number')
    for (const [name, to] of Object.entries({ type: 'number', min, max })) control.setAttribute(name, to);
  control.value = textOf(value);
  const typed = find('[name="value"]', place);
  const isSame = typed.dataset.setting === setting.value;
  // A change of another setting keeps the typed value.
  if (isSame && (typed.dataset.value === control.value || typed === document.activeElement)) return;
  Object.assign(control.dataset, { setting: setting.value, value: control.value });
  typed.replaceWith(control);
  about.textContent = `${sentence} ${points}${kind === 'list' ? ', words separated by commas' : ''}`;
};
setting.addEventListener('change', showSetting);

const textOf = (value) => String(value);

onSubmit('#profile', async ({ profile: name }) => {
  await call('PATCH', 'settings', { profile: name });
  return `The profile is ${name}.`;
});
onSubmit('#setting', async ({ setting: name, value }) => {
  const now = await call('PATCH', 'settings', { set: { [name]: value } });
  return `${name} is ${textOf(now[name]) || 'empty'} from the next request on.`;
});
