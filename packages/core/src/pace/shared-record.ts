import { createHash } from 'node:crypto';
import { readBaseUrl } from '../base/base-url.ts';
import { checkApiKey } from '../base/check-api-key.ts';

/** The record of one key, in a place that several processes share. */
export interface SharedRecord {
  /**
   * Writes the text that `change` returns, in one step that is atomic across processes.
   * @param change gets the text found, which is `null` if there is none, and the time on the clock that the processes
   * share. Returns the record as JSON, which the place can remove after `keptMs`, or undefined if there is nothing to
   * write. Called again if another process was faster
   */
  update(change: (found: string, at: number) => { text: string; keptMs: number } | undefined): Promise<void>;
  close(): void;
}

export interface RecordToOpen {
  kind: 'sqlite' | 'redis';
  /** @param key a hash that identifies the pair of base URL and API key */
  open(key: string): Promise<SharedRecord>;
  /** A description of the problem, without secrets. */
  explain(error: unknown): string;
}

/**
 * Returns a hash of the base URL and the API key, which is the same in every process. The API key cannot be recovered
 * from the hash.
 * @throws `configuration` for an invalid address or key
 */
export const recordKey = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): string =>
  createHash('sha256')
    .update(`order-license\n${readBaseUrl(baseUrl)}\n${checkApiKey(apiKey)}`)
    .digest('hex');
