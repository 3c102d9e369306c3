import packageJson from '../package.json' with { type: 'json' };

/** Version of this package. */
export const { version } = packageJson;
