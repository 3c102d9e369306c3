import { fullPage, plainWalk } from './plain-walk.ts';
import type { ReadPage } from './walk-progress.ts';

/** A walk over the whole list that exposes its next page. */
export interface PageByPage {
  /** The page that the next step reads; undefined at the end of the list. */
  readonly nextPage: number | undefined;
  step(): Promise<void>;
}

export const createPageByPage = (read: ReadPage, startPage: number): PageByPage => {
  const walk = plainWalk(read, { startPage, perPage: fullPage });
  let nextPage: number | undefined = startPage;
  return {
    get nextPage() {
      return nextPage;
    },
    async step() {
      const step = await walk();
      nextPage = step && step.page < step.pages ? step.page + 1 : undefined;
    },
  };
};
