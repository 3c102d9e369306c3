import { find } from './dom.js';

const done = new EventTarget();

/** Calls `listener` after each change that this page made. */
export const onDone = (listener) => done.addEventListener('done', listener);

/** Does what a form is for, and says in the form how that went. */
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

/** @param action takes the fields by name, and returns the sentence that says what was done */
export const onSubmit = (selector, action) => {
  const form = find(selector);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act(form, action);
  });
};

/** The same for a further button of a form. */
export const onClick = (selector, action) => {
  const button = find(selector);
  button.addEventListener('click', () => act(button.form, action));
};
