import { readFileSync } from 'node:fs';

/**
 * Returns the OpenAPI description of the API, as YAML. The path works from `src` and from `dist`, since the file is in
 * the folder that contains both.
 */
export const readOpenApi = (): string => readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8');
