import { createEngine } from './engine.ts';
import type { Mock } from './mock.ts';
import type { MockOptions } from './mock-options.ts';

/**
 * A mock service without a server.
 * @throws Error with a sentence about the option that is wrong
 */
export const createMock: (options?: MockOptions) => Mock = (options) => createEngine(options);
