const zero = 0x30;

/** Whether every character is one byte, also in UTF-8. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The bytes of an ASCII text. */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  putText(bytes, 0, text);
  return bytes;
}

/** Writes bytes at `at`. @returns where they end, as all of these do */
export function putBytes(target: Uint8Array, at: number, bytes: Uint8Array): number {
  target.set(bytes, at);
  return at + bytes.length;
}

/** Writes an ASCII text, up to `end` where given; for short ones, which a loop copies faster than a call. */
export function putText(target: Uint8Array, at: number, text: string, end = text.length): number {
  for (let n = 0; n < end; n++) target[at + n] = text.charCodeAt(n);
  return at + end;
}

/** Writes a safe integer from 0 up, with zeros before it up to `width` digits. */
export function putNumber(target: Uint8Array, at: number, value: number, width = 1): number {
  let digits = 1;
  for (let next = 10; next <= value; next *= 10) digits++;
  if (digits < width) digits = width;
  let left = value;
  for (let n = at + digits - 1; n >= at; n--) {
    const higher = Math.floor(left / 10);
    target[n] = zero + (left - higher * 10);
    left = higher;
  }
  return at + digits;
}

/** Writes one character and the two digits of a number below 100. */
export function putPair(target: Uint8Array, at: number, sign: number, value: number): number {
  const tens = Math.floor(value / 10);
  target[at] = sign;
  target[at + 1] = zero + tens;
  target[at + 2] = zero + (value - tens * 10);
  return at + 3;
}
