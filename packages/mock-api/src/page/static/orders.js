import { call } from './call.js';
import { find, onChange, setOptions } from './dom.js';
import { onSubmit } from './form.js';

const account = find('#order select[name="account"]');

export const pollAccounts = async () => {
  const keys = await call('GET', 'keys');
  show([...new Set(keys.map((key) => key.account))]);
};

const show = onChange((accounts) => {
  const { value } = account;
  setOptions(account, accounts);
  if (accounts.includes(value)) account.value = value;
});

onSubmit('#order', async ({ account, status, product_name, menge, einzelpreis_brutto, delivered }) => {
  const { id, bestellnummer } = await call('POST', 'orders', {
    account,
    status,
    items: [{ product_name, menge: Number(menge), einzelpreis_brutto }],
    ...(delivered && { delivered: Number(delivered) }),
  });
  return `Order ${bestellnummer} was added. Its ID is ${id}.`;
});
