/** The mock without a server: `createMock().fetch` works like the global fetch. */
export { createMock } from './engine.ts';
export type { Mock } from './mock.ts';
export type { MockOptions } from './mock-options.ts';
