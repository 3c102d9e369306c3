import { listen, type MockServer } from '@order-license/mock-api';
import { createMock } from '@order-license/mock-api/fetch';
import packageJson from '@order-license/mock-api/package.json' with { type: 'json' };

const server: MockServer = await listen({ limit: 'off', set: { money: 'number' } });
const mock = createMock({ orders: 5, seed: 7 });
const response: Response = await mock.fetch('https://shop.example/api/v1/orders');
console.log(packageJson.version, server.keys.business, response.status);
await server.close();

// @ts-expect-error unknown profile
createMock({ profile: 'gentle' });
// @ts-expect-error the type omits what adapters call
void mock.answer;
