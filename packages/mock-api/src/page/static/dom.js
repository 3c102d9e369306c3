export const find = (selector, within = document) => within.querySelector(selector);

/** Never parses text from the mock as markup. */
export const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
};

export const setOptions = (select, values) =>
  select.replaceChildren(...values.map((value) => element('option', { value }, value)));

/** Calls `show` only with changed values, so that unchanged elements keep focus and selection. */
export const onChange = (show) => {
  let last;
  return (value) => {
    const text = JSON.stringify(value);
    if (text === last) return;
    last = text;
    show(value);
  };
};
