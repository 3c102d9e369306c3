/** The mock without a server: `createMock().fetch` works like the global fetch. */

export type { Mock } from './mock.ts';
export { createMock } from './mock.ts';
export type { MockOptions } from './mock-options.ts';
