/** The four order statuses (§3). */
export const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
export type Status = (typeof statuses)[number];

/** The values of `code_typ` (§2.6). */
export const codeTypes = ['retail', 'volumen', 'account', 'abo'] as const;
export type CodeType = (typeof codeTypes)[number];

/** The status of an order that is given without one. */
export const defaultStatus: Status = 'abgeschlossen';

/** Whether an order shows license codes: only if paid or completed (§3, §4.3.1). */
export const isEligible = (status: Status = defaultStatus): boolean =>
  status === 'bezahlt' || status === 'abgeschlossen';
