import { readOrders } from './read-orders.js';

const [baseUrl, apiKey, path] = process.argv.slice(2);
// Without `await` at the top level, which CommonJS does not have.
readOrders({ baseUrl, apiKey }, path).then((result) => console.log(JSON.stringify(result)));
