// Shows and controls a mock through its control API.
import { call } from './call.js';
import { pollClock } from './clock.js';
import { find } from './dom.js';
import { pollFaults } from './faults.js';
import { onDone, onSubmit } from './form.js';
import { pollJournal } from './journal.js';
import { pollLimits } from './limits.js';
import { pollAccounts } from './orders.js';
import { pollScenarios } from './scenarios.js';
import { pollSettings } from './settings.js';

const pauseMs = 1000;
const connection = find('#connection');
let timer;
let running;
let again = false;

const say = (sentence, isProblem) => {
  if (connection.textContent !== sentence) connection.textContent = sentence;
  connection.classList.toggle('problem', isProblem);
};

const poll = async () => {
  try {
    const polls = [pollJournal, pollLimits, pollClock, pollSettings, pollFaults, pollScenarios, pollAccounts];
    await Promise.all(polls.map((poll) => poll()));
    say('Live', false);
  } catch (error) {
    say(error instanceof TypeError ? 'The mock does not answer. The page keeps asking.' : error.message, true);
  }
};

/** Polls once at a time, and not while the page is hidden. */
const run = async () => {
  clearTimeout(timer);
  if (running) {
    again = true;
    return;
  }
  running = true;
  do {
    again = false;
    await poll();
  } while (again);
  running = false;
  if (!document.hidden) timer = setTimeout(run, pauseMs);
};

document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : run()));
onDone(run);
onSubmit('#reset', async () => {
  await call('POST', 'reset');
  return 'The mock is reset.';
});
run();
