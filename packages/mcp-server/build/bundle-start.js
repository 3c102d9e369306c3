// Starts the server in the MCP bundle, whose form has a checkbox for each of these variables. Any other value is passed
// on unchanged, and the server rejects it.
for (const name of ['ORDER_LICENSE_LICENSE_KEYS', 'ORDER_LICENSE_PERSONAL_DATA']) {
  const box = process.env[name]?.trim().toLowerCase();
  if (box === 'true') process.env[name] = 'masked';
  if (box === 'false') process.env[name] = 'full';
}
// The folder for exports is optional: some clients leave the placeholder of an empty field.
const folder = process.env.ORDER_LICENSE_EXPORT_FOLDER?.trim();
if (!folder || folder.startsWith('${')) delete process.env.ORDER_LICENSE_EXPORT_FOLDER;
await import('./cli.js');
