// Starts the server in the MCP bundle, whose form has a checkbox for ORDER_LICENSE_LICENSE_KEYS. Anything but a checked
// or unchecked box stays as it is, and the server refuses it.
const box = process.env.ORDER_LICENSE_LICENSE_KEYS?.trim().toLowerCase();
if (box === 'true') process.env.ORDER_LICENSE_LICENSE_KEYS = 'masked';
if (box === 'false') process.env.ORDER_LICENSE_LICENSE_KEYS = 'full';
await import('./cli.js');
