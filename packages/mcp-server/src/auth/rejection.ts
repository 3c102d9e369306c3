/** Why a request is rejected before MCP handles it. */
export interface Rejection {
  status: number;
  /** For the caller. */
  message: string;
  /** For the log, if `message` contains more than fixed words. */
  logged?: string;
  /** The invalid part of the request, quoted; logged only with the access log. */
  found?: string | undefined;
  headers?: Record<string, string>;
  /** JSON-RPC error code; default -32000. */
  code?: number;
}
