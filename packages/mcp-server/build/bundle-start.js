// Starts the server in the MCP bundle. The bundle's settings form has a checkbox for each of these variables, so `true`
// and `false` are converted to the variable's values. Any other value is passed on unchanged, and the server checks it.
for (const name of ['ORDER_LICENSE_LICENSE_KEYS', 'ORDER_LICENSE_PERSONAL_DATA']) {
  const box = process.env[name]?.trim().toLowerCase();
  if (box === 'true') process.env[name] = 'masked';
  if (box === 'false') process.env[name] = 'full';
}
// The export folder is optional: for an empty field, some clients pass the placeholder itself.
const folder = process.env.ORDER_LICENSE_EXPORT_FOLDER?.trim();
if (!folder || folder.startsWith('${')) delete process.env.ORDER_LICENSE_EXPORT_FOLDER;
await import('./cli.js');
