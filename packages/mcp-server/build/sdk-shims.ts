import process from 'node:process';

/** Takes the place of ajv in the bundle; the SDK makes one per server and would use it for elicitation only. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server asks its client for nothing, so there is nothing to validate.');
  }
}

export { process };
