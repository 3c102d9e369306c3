// An identity provider for trying out sign-in on one machine. It accepts any name with any password.
// Start it with: npm install oidc-provider && node identity-provider.mjs
import Provider from 'oidc-provider';

const port = 4000;
const provider = new Provider(`http://127.0.0.1:${port}`, {
  scopes: ['openid', 'offline_access', 'orders:read'],
  features: {
    devInteractions: { enabled: true }, // serves the login form
    registration: { enabled: true }, // lets clients register themselves
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
