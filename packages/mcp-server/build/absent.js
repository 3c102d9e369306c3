// Replaces the optional peer dependencies of the Redis client in the bundle: the client loads them only if they are
// configured, and this server never configures them.
export {};
