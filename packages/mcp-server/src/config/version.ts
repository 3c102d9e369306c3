import packageJson from '../../package.json' with { type: 'json' };

/** Version of this package. */
export const { version } = packageJson;

/** The User-Agent header sent to the service. */
export const userAgent = `order-license-mcp/${version}`;
