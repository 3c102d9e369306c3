import { vi } from 'vitest';

/**
 * Makes this process format dates as a Node with only English locale data does, such as the package of Alpine: such a
 * Node replaces every other locale by its default.
 * @returns a function that restores the other locales
 */
export const installEnglishOnly = (): (() => void) => {
  const { DateTimeFormat } = Intl;
  const { toLocaleString: format } = Date.prototype;
  class EnglishFormat extends DateTimeFormat {
    constructor(_locales?: unknown, options?: Intl.DateTimeFormatOptions) {
      super('en-US', options);
    }
  }
  const formats = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(EnglishFormat as typeof DateTimeFormat);
  const text = vi.spyOn(Date.prototype, 'toLocaleString').mockImplementation(function (this: Date, _locales, options) {
    return format.call(this, 'en-US', options as Intl.DateTimeFormatOptions);
  });
  return () => {
    formats.mockRestore();
    text.mockRestore();
  };
};
