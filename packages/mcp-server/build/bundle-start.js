// Starts the server in the MCP bundle, whose form has a checkbox for each of these variables. Any other value is passed
// on unchanged, and the server refuses it.
for (const name of ['ORDER_LICENSE_LICENSE_KEYS', 'ORDER_LICENSE_PERSONAL_DATA']) {
  const box = process.env[name]?.trim().toLowerCase();
  if (box === 'true') process.env[name] = 'masked';
  if (box === 'false') process.env[name] = 'full';
}
await import('./cli.js');
