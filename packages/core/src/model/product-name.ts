/**
 * Returns a function that tells whether a product name contains a text, as people type it. Ignores case, the kind and
 * number of spaces, the kind of dashes, the encoding of accents, soft hyphens, and signs such as ® and ™. `ss` matches
 * `ß`.
 */
export const productNameTest = (text: string): ((name: unknown) => boolean) => {
  const wanted = fold(text);
  return (name) => typeof name === 'string' && wanted !== '' && fold(name).includes(wanted);
};

const fold = (text: string): string =>
  text
    .replace(/[®™©℠\p{Cf}]/gu, '')
    .normalize('NFKD')
    .toUpperCase() // ß becomes SS, and ı becomes I
    .replace(/\u0307/g, '') // the dot of İ
    .normalize('NFC')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();
