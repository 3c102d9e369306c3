import { isInRange } from '../settings/kinds.ts';
import type { SettingInput } from '../settings/profiles.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { type Answer, isOverLimit } from './answer.ts';
import { copingOf } from './kit.ts';
import { createMirror } from './mirror.ts';
import { rows } from './rows.ts';
import { shapeOf } from './shape.ts';

/** What the API does about an open question, and the mock's setting for it. */
export interface Point {
  /** The U-number, such as `U-05`. */
  id: string;
  setting: SettingName;
  /** The first value with which the mock responds like the API; absent if none does. */
  value?: string;
  /** Other values with which it responds in the same way. */
  alike: string[];
  /** What the API does, in short forms without data of the account. */
  service: string[];
  /** `untested` if no value does the same, so that the packages are not tested with it. */
  kit: 'copes' | 'note' | 'untested';
  note?: string;
}

/** Whether a statement of the API docs holds, and what contradicts it. */
export interface StatementResult {
  id: string;
  text: string;
  holds: boolean;
  service: string[];
}

export interface Comparison {
  points: Point[];
  statements: StatementResult[];
  /** The settings that the responses don't show. */
  notShown: SettingName[];
  /** The found values that aren't the defaults. */
  set: Record<string, string>;
}

/** The settings that the times of the requests show, and those that a 429 shows. */
const timed: readonly unknown[] = ['limit', 'window', 'windowMs'];
const limiting: readonly unknown[] = [...timed, 'rateHeaders'];

/**
 * Compares the API's responses with those of a mock, for each value of each setting.
 * @param secure whether the API's address begins with `https:`
 */
export const compare = (answers: readonly Answer[], secure: boolean): Comparison => {
  const askMock = createMirror(answers, secure);
  const points: Point[] = [];
  const statements: StatementResult[] = [];
  const set: Record<string, string> = {};
  for (const { id, about, asks, shows, values } of rows) {
    const asked = answers.filter(
      (answer) => asks.test(answer.question.name) && (limiting.includes(about) || !isOverLimit(answer)),
    );
    const formsIn = (from: readonly Answer[]) => shapeOf(from).filter((form) => shows.test(form));
    const mockWith = (more: SettingInput) => formsIn(askMock(asked, { ...set, ...more }, timed.includes(about)));
    const service = formsIn(asked);
    if (service.length === 0) continue;
    const usual = mockWith({});
    if (typeof about === 'object') {
      const others = service.filter((form) => !usual.includes(form));
      statements.push({ id, text: about.statement, holds: others.length === 0, service: others });
      continue;
    }
    const candidates = new Set(values?.(service, usual) ?? valuesOf(about));
    const possible = [...candidates].filter((value) => isPossible(about, value));
    const mocks = possible.map((value) => ({ value, forms: mockWith({ [about]: value }) }));
    // The API's account may show less than the mock's.
    const like = mocks.filter(({ forms }) => service.every((form) => forms.includes(form)));
    const least = Math.min(...like.map(({ forms }) => forms.length));
    const [value, ...alike] = like.filter(({ forms }) => forms.length === least).map((mock) => mock.value);
    if (alike.length > 0 && alike.length === mocks.length - 1) continue;
    const found = value !== undefined && { value };
    points.push({ id, setting: about, ...found, alike, service, ...copingOf(about, value) });
    if (value !== undefined && value !== String(settingDefinitions[about].default)) set[about] = value;
  }
  const shown = new Set(points.map(({ setting }) => setting));
  const settings = rows.flatMap(({ about }) => (typeof about === 'string' && !shown.has(about) ? about : []));
  return { points, statements, set, notShown: [...new Set(settings)] };
};

/** Whether a setting can have a value: an API may state any number. */
const isPossible = (name: SettingName, value: string): boolean => {
  const setting = settingDefinitions[name];
  return setting.kind !== 'number' || value === setting.off || isInRange(setting, Number(value));
};

const valuesOf = (name: SettingName): readonly string[] => {
  const setting = settingDefinitions[name];
  return setting.kind === 'choice' ? setting.values : [];
};
