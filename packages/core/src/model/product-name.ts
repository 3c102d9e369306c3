/**
 * Returns a function that tells whether a product name contains a text, whatever the case and the encoding of accents.
 */
export const productNameTest = (text: string): ((name: unknown) => boolean) => {
  const wanted = fold(text);
  return (name) => typeof name === 'string' && fold(name).includes(wanted);
};

const fold = (text: string): string => text.normalize('NFC').toLowerCase();
