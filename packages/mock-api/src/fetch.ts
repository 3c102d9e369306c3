/** The mock without a server: `createMock().fetch` answers like the global fetch. */
export { createMock, type Mock } from './mock.ts';
export type { MockOptions } from './mock-options.ts';
