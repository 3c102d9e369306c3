interface Details {
  /** The text to log instead of a message that contains more than fixed words; null to log nothing. */
  logged?: string | null;
  /** The invalid part of the request, quoted; logged only with the access log. */
  found?: string | undefined;
  headers?: Record<string, string>;
  /** Time until the request may be repeated, s. */
  retryAfter?: number;
  /** JSON-RPC error code; default -32000. */
  code?: number;
  /** The ID of an invalid request. */
  id?: string | number | undefined;
}

/** The error for a request that is rejected before MCP handles it. The message is for the caller. */
export class Rejection extends Error {
  readonly status: number;
  readonly details: Details;

  constructor(status: number, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}
