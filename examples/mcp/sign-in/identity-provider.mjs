// An identity provider to try sign-in on one machine; accepts every name with any password:
// npm install oidc-provider && node identity-provider.mjs
import Provider from 'oidc-provider';

const port = 4000;
const provider = new Provider(`http://127.0.0.1:${port}`, {
  scopes: ['openid', 'offline_access', 'orders:read'],
  features: {
    devInteractions: { enabled: true }, // the login form
    registration: { enabled: true }, // clients register themselves
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'orders:read',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 300,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
provider.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
