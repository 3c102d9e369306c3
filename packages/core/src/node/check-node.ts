// Must be imported before everything else: on an older Node.js, undici fails to load without naming the cause.
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(`@order-license/core needs Node.js 22.19 or newer; this is ${node}. Update Node.js.`);
}

export {};
