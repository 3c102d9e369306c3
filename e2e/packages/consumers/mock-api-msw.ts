import { createMock } from '@order-license/mock-api/fetch';
import { handlers, mockNetwork } from '@order-license/mock-api/msw';
import { setupServer } from 'msw/node';

const baseUrl = 'https://shop.example/api/v1';
const mock = createMock();
const server = setupServer(...handlers(mock, baseUrl));
const network = mockNetwork(mock, baseUrl);
server.listen();
await network.enable();
