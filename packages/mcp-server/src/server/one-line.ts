/**
 * Escapes Unicode line separators in JSON. Many clients wrongly end a line there, in a stream of server-sent events or
 * on stdout, and then wait in vain for the rest of the message.
 */
export const asOneLine = (json: string): string =>
  json.replaceAll('\u0085', '\\u0085').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
