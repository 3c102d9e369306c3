import { credentials } from './home.ts';
import type { Session } from './session.ts';

/** Sends the request that the editor sends to n8n when a user opens *From List* in Get Order or types into it. */
export const searchFromList = (session: Session, filter?: string): Promise<unknown> => {
  const currentNodeParameters = {
    resource: 'order',
    operation: 'getOrder',
    order: { __rl: true, mode: 'list', value: '' },
  };
  return session.post('/rest/dynamic-node-parameters/resource-locator-results', {
    path: 'parameters.order',
    methodName: 'searchOrders',
    nodeTypeAndVersion: { name: 'n8n-nodes-order-license.orderLicense', version: 1 },
    currentNodeParameters,
    credentials,
    ...(filter !== undefined && { filter }),
  });
};
