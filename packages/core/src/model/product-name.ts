/** Whether a product name contains a text, whatever its case and however its accents are encoded. */
export const productNameTest = (text: string): ((name: unknown) => boolean) => {
  const wanted = fold(text);
  return (name) => typeof name === 'string' && fold(name).includes(wanted);
};

const fold = (text: string): string => text.normalize('NFC').toLowerCase();
