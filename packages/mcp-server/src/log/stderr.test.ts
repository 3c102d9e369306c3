import { expect, test } from 'vitest';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';

test("reports where a bug occurred on stderr, without the error's message, and tells the model to report it [S-90]", async () => {
  const written = watchStderr();
  const openBrokenClient = async () => {
    throw new TypeError('Bearer canary');
  };
  const client = await connectInProcess(openBrokenClient);
  expect((await callTool(client, 'order_license_get_me')).text).toMatch(
    /^internal: The server failed unexpectedly\. Please report this bug, with the line in the server log (?!.*canary)/,
  );
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(
    /^order-license-mcp: \S+ order_license_get_me failed unexpectedly; please report this line: TypeError at openBrokenClient \(.*\n$/,
  );
  expect(written[0]).not.toContain('canary');
});
