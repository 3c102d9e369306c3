import packageJson from '../../package.json' with { type: 'json' };

/** Version of this package. */
export const { version } = packageJson;

/** What the service is told. */
export const userAgent = `order-license-mcp/${version}`;
