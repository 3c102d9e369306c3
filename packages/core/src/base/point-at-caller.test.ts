import { expect, test } from 'vitest';
import { stackFrames } from './point-at-caller.ts';

const thrownIn = (message: string): TypeError => {
  const throwingFunction = () => new TypeError(message);
  return throwingFunction();
};

test.each(['canary', 'first line\n    at canary (file.ts:1:1)', '', 'r', 'at '])(
  'shows where an error was thrown, without its message %j',
  (message) => {
    const frames = stackFrames(thrownIn(message));
    expect(frames[0]).toMatch(/^at throwingFunction \(.*point-at-caller\.test\.ts:\d+:\d+\)$/);
    expect(frames.join('\n')).not.toContain('canary');
  },
);

test('returns no frames for an error whose message was changed, or for a thrown value without a valid stack', () => {
  const error = thrownIn('canary\n    at canary');
  expect(error.stack).toContain('canary'); // the first access formats the stack
  error.message = 'other';
  const thrown = [error, Object.assign(new Error('x'), { stack: undefined }), 'canary', null, { stack: 'at x' }];
  expect(thrown.map(stackFrames)).toEqual([[], [], [], [], []]);
});
