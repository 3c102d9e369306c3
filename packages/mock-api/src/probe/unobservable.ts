import type { SettingName } from '../settings/settings.ts';

/** Settings or values that no probe recognises. A test checks that the list is complete. */
export const unobservable: readonly { setting: SettingName; value?: string; why: string }[] = [
  { setting: 'emptyPages', why: 'seen only if the account, or one of its statuses, has no orders' },
  {
    setting: 'deliveredCodes',
    value: 'partial',
    why: 'codes still to be delivered look like codes that an item never has',
  },
  { setting: 'bodyOnGet', why: 'fetch sends no body with GET' },
  { setting: 'httpsOnly', value: 'refuse', why: 'its 403 looks like the one for an account that is not a business' },
  { setting: 'count', value: 'exceptForbidden', why: 'a business account gets no 403' },
  { setting: 'windowMs', why: 'only 60 s is recognised, unless a RateLimit-Policy header states the length' },
  { setting: 'errorText', why: 'error texts are not shown, since they may quote the request' },
  { setting: 'emptyText', why: 'seen only if the account has either a company or a VAT ID' },
  { setting: 'blankCompany', why: 'needs an account with neither a company nor a VAT ID' },
];
