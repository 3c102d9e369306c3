import packageJson from '../../package.json' with { type: 'json' };

/** Version of this package. */
export const { version } = packageJson;

/** The User-Agent header sent to the API. */
export const userAgent = `order-license-mcp/${version}`;
