import process from 'node:process';

/** Replaces ajv in the bundle: the SDK creates a validator for each server, but needs it only for elicitation. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server sends no requests to its client, so there is nothing to validate.');
  }
}

export { process };
