export { codeRowsOf, ownFieldsOf, rowsOf } from '../../packages/mcp-server/src/testing/rows.fixture.ts';

export type Json = Record<string, unknown>;
