import packageJson from '../../package.json' with { type: 'json' };

export const { version } = packageJson;

export const userAgent = `order-license-mcp/${version}`;
