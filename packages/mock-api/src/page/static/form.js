import { find } from './dom.js';

const done = new EventTarget();

/** Calls `listener` after each change that this page made. */
export const onDone = (listener) => done.addEventListener('done', listener);

/** Runs the action of a form and shows its result in the form. */
const act = async (form, action) => {
  const status = find('[role="status"]', form);
  const say = (sentence, isProblem) => {
    if (!status) return;
    status.textContent = sentence;
    status.classList.toggle('problem', isProblem);
  };
  say('', false);
  try {
    say(await action(Object.fromEntries(new FormData(form))), false);
  } catch (error) {
    say(error.message, true);
  }
  done.dispatchEvent(new Event('done'));
};

/** @param action receives the fields by name and returns the message to show */
export const onSubmit = (selector, action) => {
  const form = find(selector);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act(form, action);
  });
};

/** Like the above, for another button of a form. */
export const onClick = (selector, action) => {
  const button = find(selector);
  button.addEventListener('click', () => act(button.form, action));
};
