import { call } from './call.js';
import { find } from './dom.js';
import { onClick, onSubmit } from './form.js';

const time = find('#clock');

export const pollClock = async () => {
  const { iso, frozen } = await call('GET', 'clock');
  time.textContent = `${iso.slice(0, 19).replace('T', ' ')} UTC${frozen ? ', frozen' : ''}`;
};

onSubmit('#advance', async ({ seconds }) => {
  await call('PATCH', 'clock', { advance: Number(seconds) * 1000 });
  return `The clock was advanced by ${seconds} s.`;
});
onClick('#freeze', async () => {
  await call('PATCH', 'clock', { freeze: true });
  return 'The clock is frozen.';
});
onClick('#resume', async () => {
  await call('PATCH', 'clock', { resume: true });
  return 'The clock runs.';
});
