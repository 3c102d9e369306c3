import { createEngine } from './engine.ts';
import type { Mock } from './mock.ts';
import type { MockOptions } from './mock-options.ts';

/**
 * Creates a mock service without a server.
 * @throws Error that names the invalid option
 */
export const createMock: (options?: MockOptions) => Mock = (options) => createEngine(options);
