import { readFileSync } from 'node:fs';

/**
 * Returns the OpenAPI description of the API, as YAML. The file is one folder above both the source and the built code.
 */
export const readOpenApi = (): string => readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8');
