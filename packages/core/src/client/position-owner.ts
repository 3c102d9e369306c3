import { argumentError, isOrderLicenseError, type OrderLicenseError } from '../base/errors.ts';
import { hash } from '../base/hash.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import type { ApiKeyReader } from '../call/api-key.ts';
import type { OrderId } from '../model/order-id.ts';

/** Ties positions to the base URL and to the account of the key. */
export interface PositionOwner {
  /** Returns the `owner` to store in positions: hashes of the base URL and of the key that was read last. */
  current(): string;
  /** @throws `bad_request` for a position from a different base URL */
  checkAddress(position: WalkPosition | undefined): void;
  /**
   * A key belongs to one account (§5.2), but an account can have several keys. If the position is from a different key,
   * requests one of its orders, which only the same account can read (§4.3).
   * @throws `bad_request` for a position from a different account
   */
  checkAccount(position: WalkPosition, getOrder: (id: OrderId) => Promise<unknown>): Promise<void>;
}

export const createPositionOwner = (baseUrl: string, apiKeys: ApiKeyReader): PositionOwner => {
  const address = hash(baseUrl);
  const current = (): string => `${address}.${hash(`${baseUrl} ${apiKeys.last()}`)}`;
  return {
    current,
    checkAddress(position) {
      if (position && !position.owner.startsWith(`${address}.`)) throw otherOwner('API address');
    },
    async checkAccount(position, getOrder) {
      const { owner, ids, undatedIds, details } = position;
      const [id] = [...ids, ...undatedIds, ...(details?.setAside ?? []).map((entry) => entry.id)];
      if (owner === current() || id === undefined) return;
      await getOrder(id).catch((error: unknown) => {
        throw isOrderLicenseError(error) && error.code === 'not_found' ? otherOwner('account') : error;
      });
    },
  };
};

const otherOwner = (what: string): OrderLicenseError =>
  argumentError(`\`position\` belongs to a different ${what}`, 'Start a new walk without `position`.');
