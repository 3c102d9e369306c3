import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiBytes, isAscii, putBytes, putNumber, putPair, putText } from './ascii.ts';

const page = Buffer.alloc(64);

const written = (put: (start: number) => number): string => page.toString('latin1', 3, put(3));

const anyWhole = fc.oneof(
  fc.maxSafeNat(),
  fc.integer({ min: Number.MAX_SAFE_INTEGER - 99, max: Number.MAX_SAFE_INTEGER }),
  fc.nat(1_000_000),
);

test('U-25 a whole number is written with all of its digits, up to 2^53 - 1', () => {
  fc.assert(
    fc.property(anyWhole, fc.integer({ min: 1, max: 20 }), (value, width) => {
      expect(written((at) => putNumber(page, at, value, width))).toBe(String(value).padStart(width, '0'));
    }),
    {
      numRuns: 1000,
      examples: [
        [Number.MAX_SAFE_INTEGER, 1],
        [0, 1],
        [9, 1],
        [10, 1],
        [999_999, 6],
        [1_000_000, 6],
      ],
    },
  );
});

test('texts, bytes and pairs of digits end where the next one begins', () => {
  const put = (start: number): number => {
    let at = putText(page, start, 'B-2026-', 6);
    at = putPair(page, at, 0x3a, 7);
    at = putPair(page, at, 0x3a, 59);
    return putBytes(page, at, asciiBytes('!"}'));
  };
  expect(written(put)).toBe('B-2026:07:59!"}');
});

test('what is not ASCII is told apart', () => {
  expect([isAscii('\0 ~\x7f'), isAscii('ä'), isAscii('\x80')]).toEqual([true, false, false]);
});
