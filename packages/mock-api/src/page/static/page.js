// Once a second, replaces the parts of the page that differ from a new one.
const pauseMs = 1000;
const [connection, only, reset] = ['#connection', '#only-violations', '#reset'].map((name) =>
  document.querySelector(name),
);
let timer;
let isRunning = false;

/** Says whether the mock responds. Sets a text only if it changed, since screen readers repeat it otherwise. */
const say = (text, isProblem) => {
  if (connection.textContent !== text) connection.textContent = text;
  connection.classList.toggle('problem', isProblem);
};

const show = async () => {
  const response = await fetch(only.checked ? '?violations' : '.', { headers: { accept: 'text/html' } });
  const text = await response.text();
  if (!response.ok) throw new Error(JSON.parse(text).error);
  const page = new DOMParser().parseFromString(text, 'text/html');
  for (const part of page.querySelectorAll('[data-live]')) {
    const shown = document.getElementById(part.id);
    if (!shown.isEqualNode(part)) shown.replaceChildren(...part.childNodes);
  }
};

/** Sends one request at a time, and none while the page is hidden. */
const poll = async () => {
  if (isRunning || document.hidden) return;
  isRunning = true;
  const started = performance.now();
  try {
    await show();
    say('Live', false);
  } catch (error) {
    say(error instanceof TypeError ? 'The mock does not respond. This page keeps trying.' : error.message, true);
  }
  isRunning = false;
  clearTimeout(timer);
  timer = setTimeout(poll, Math.max(0, pauseMs - (performance.now() - started)));
};

document.addEventListener('visibilitychange', poll);
reset.addEventListener('click', () => fetch('reset', { method: 'POST' }));
poll();
