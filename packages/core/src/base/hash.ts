/** 32-bit FNV-1a hash of the code points, in base 36, for comparing texts without keeping them. */
export const hash = (text: string): string => {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (value >>> 0).toString(36);
};
