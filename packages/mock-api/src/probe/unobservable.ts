import type { SettingName } from '../settings/settings.ts';

/** Settings, or single values of them, that no probe recognises. Tests hold that these are all there are. */
export const unobservable: readonly { setting: SettingName; value?: string; why: string }[] = [
  { setting: 'emptyPages', why: 'seen only if the account, or one of its statuses, has no orders' },
  { setting: 'deliveredCodes', value: 'partial', why: 'codes that come later look like codes that an item never has' },
  { setting: 'bodyOnGet', why: 'fetch sends no body with GET' },
  { setting: 'httpsOnly', value: 'refuse', why: 'its 403 looks like the one for an account that is not a business' },
  { setting: 'count', value: 'exceptForbidden', why: 'a business account gets no 403' },
  { setting: 'windowMs', why: 'measured against 60 s alone, unless a RateLimit-Policy header states it' },
  { setting: 'errorText', why: 'texts of errors are not shown, since they may quote the request' },
  { setting: 'emptyText', why: 'seen only if the account has a company and no VAT ID, or the other way round' },
  { setting: 'blankCompany', why: 'it takes an account without a company and without a VAT ID' },
];
