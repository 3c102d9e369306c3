// Replaces optional peer dependencies of the Redis client, which loads them only if they are configured.
export {};
