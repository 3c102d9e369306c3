import { expect, test } from 'vitest';
import { connectionError } from '../base/host-errors.ts';
import { setUpVirtual } from './virtual-client.fixture.ts';

/** A client whose connections can be refused. */
const setUp = () => {
  const { clock, mock, host, newClient } = setUpVirtual({}, { orders: 130 });
  const inner = host(mock.keys.business);
  const network = { isDown: false };
  const client = newClient({
    host: {
      ...inner,
      send: async (request) => {
        if (network.isDown) throw connectionError('ECONNREFUSED', { sent: false });
        return inner.send(request);
      },
    },
  });
  return { clock, network, client };
};

test('a walk gives up after three refused connections if the API has never responded', async () => {
  const { clock, network, client } = setUp();
  network.isDown = true;
  const walked = clock.run(Array.fromAsync(client.orders({ limit: 1 })));
  await expect(walked).rejects.toMatchObject({ code: 'connection', attempts: 3 });
  expect(clock.now()).toBeLessThan(10_000);
});

test('once the API has responded, a walk survives a minute of refused connections', async () => {
  const { clock, network, client } = setUp();
  const walk = async () => {
    await client.getMe();
    network.isDown = true;
    clock.sleep(60_000).then(() => {
      network.isDown = false;
    });
    return Array.fromAsync(client.orders({ limit: 130 }));
  };
  expect(await clock.run(walk())).toHaveLength(130);
});
