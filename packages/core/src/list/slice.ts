import { textOf } from '../base/checks.ts';
import { isOrderLicenseError, type OrderLicenseError } from '../base/errors.ts';
import type { OrderList, StatusFilter } from '../model/order.ts';

/** Maximum number of orders per page (§8). The page numbers that a walk reports are for pages of this size. */
export const fullPage = 50;

/** A page of a given size. */
export interface Slice {
  page: number;
  perPage: number;
}

export type ReadPage = (query: Slice & { status: StatusFilter | undefined }) => Promise<OrderList>;

/** Returns the index of the slice's first order, counted from 0 at the top of the list. */
export const startOf = ({ page, perPage }: Slice): number => (page - 1) * perPage;

/** Returns the index after the slice's last order. */
export const endOf = (slice: Slice): number => startOf(slice) + slice.perPage;

/** Returns the page of the given size that contains the order at `index`. */
export const pageAt = (index: number, perPage: number): Slice => ({ page: Math.floor(index / perPage) + 1, perPage });

/** Returns the slice that ends furthest down the list, among all slices of at most `most` that contain `index`. */
export const widestSlice = (index: number, most: number): Slice =>
  Array.from({ length: most }, (_, less) => pageAt(index, most - less)).reduce((best, slice) =>
    endOf(slice) > endOf(best) ? slice : best,
  );

/** Returns how many orders the list has according to the API; undefined unless the API sends a whole number. */
export const totalOf = ({ pagination: { total } }: OrderList): number | undefined =>
  Number.isSafeInteger(total) && total >= 0 ? total : undefined;

/**
 * Whether the response says that it shows another page than the one requested: a clamped page, or one from a cache that
 * ignores the query. A response without a usable page number counts as the requested page.
 */
const isOtherPage = ({ pagination }: OrderList, { page }: Slice): boolean => {
  const shown = Number(textOf(pagination.page));
  return shown >= 1 && shown <= pagination.pages && shown !== page;
};

/**
 * What a request for a slice returned: that `page`, an `other` page, or `none` because the list does not reach that
 * far. For `none`, the API rejected the page (400, 404) or returned the list's last page instead.
 */
export type SliceResult =
  | { is: 'page' | 'other'; list: OrderList; error?: undefined }
  | { is: 'none'; list?: OrderList; error?: OrderLicenseError };

/**
 * Requests a slice, and requests it once more if the response shows another page.
 * @throws the errors of a call, except those that reject the page
 */
export const requestSlice = async (
  read: ReadPage,
  slice: Slice,
  status: StatusFilter | undefined,
  mayRepeat = true,
): Promise<SliceResult> => {
  try {
    const list = await read({ ...slice, status });
    if (!isOtherPage(list, slice)) return { is: 'page', list };
    if (slice.page > list.pagination.pages) return { is: 'none', list };
    return mayRepeat ? await requestSlice(read, slice, status, false) : { is: 'other', list };
  } catch (error) {
    // The API rejected the page or its size (400), or has no such page (404).
    if (isOrderLicenseError(error) && (error.status === 400 || error.status === 404)) return { is: 'none', error };
    throw error;
  }
};
