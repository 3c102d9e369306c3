import type { SettingName } from '../settings/settings.ts';

/** Settings or values that no probe recognises. A test checks that the list is complete. */
export const unobservable: readonly { setting: SettingName; value?: string; why: string }[] = [
  { setting: 'emptyPages', why: 'seen only if the account, or one of its statuses, has no orders' },
  { setting: 'httpsOnly', value: 'reject', why: 'its 403 looks like the one for an account that is not a business' },
  { setting: 'windowMs', why: 'only 60 s is recognised, unless a RateLimit-Policy header states the length' },
  { setting: 'errorText', why: 'error texts are not shown, since they may quote the request' },
  { setting: 'emptyText', why: 'seen only if the account has either a company or a VAT ID' },
];
