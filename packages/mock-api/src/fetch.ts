/** The mock without a server: `createMock().fetch` answers like the global fetch. */
export { createMock, type Mock, type MockOptions } from './mock.ts';
