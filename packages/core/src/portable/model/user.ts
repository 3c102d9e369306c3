/** Owner of the API key (§2.1). */
export interface User {
  user_id: number;
  email: string;
  name: string;
  /** May be empty (or null or absent) for an account that has only a VAT ID. */
  company: string;
  /** May be empty (or null or absent) for an account that has only a company. */
  vat_id: string;
  /** `<major>.<minor>`. */
  api_version: string;
}
