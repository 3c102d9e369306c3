import { clientRules } from '../journal/client-rules.ts';
import type { InnerMock } from '../mock.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';

const shownRequests = 100;
const shownOrders = 5;

export const describeLimits = (mock: InnerMock) => {
  const { limit, window, windowMs } = mock.settings();
  return { limit, window, windowMs, keys: mock.limits() };
};

export const describeClock = (mock: InnerMock) => {
  const now = mock.clock.now();
  return { now, iso: new Date(now).toISOString(), frozen: mock.clock.isFrozen() };
};

export type Overview = ReturnType<typeof overview>;

/** Returns everything that the page shows. */
export const overview = (mock: InnerMock, onlyViolations: boolean) => {
  const entries = mock.journal.entries(onlyViolations ? { violations: true } : {}).slice(-shownRequests);
  const changed = Object.entries(mock.settings()).filter(
    ([name, value]) => String(value) !== String(settingDefinitions[name as SettingName].default),
  );
  const orders = mock.state.orders('business');
  return {
    journal: { ...mock.journal.counts(), entries, newestViolation: mock.journal.violations().at(-1) ?? null },
    rules: clientRules as Readonly<Record<string, string>>,
    limits: describeLimits(mock),
    clock: describeClock(mock),
    profile: mock.profile(),
    settings: Object.fromEntries(changed),
    faults: mock.faults.list(),
    orders: { total: orders.count(), newest: orders.page(0, shownOrders).map(({ list }) => list) },
  };
};
