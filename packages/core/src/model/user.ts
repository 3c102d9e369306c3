/** Owner of the API key (§2.1). */
export interface User {
  user_id: number;
  email: string;
  name: string;
  /** Empty, null or absent for an account that has only a VAT ID (U-46). */
  company?: string | null | undefined;
  /** Empty, null or absent for an account that has only a company (U-46). */
  vat_id?: string | null | undefined;
  /** `<major>.<minor>`. */
  api_version: string;
}
