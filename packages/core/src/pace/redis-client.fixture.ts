/** Imports the Redis client of the tests, also for e2e, where the package isn't installed. */
export const client = () => import('@redis/client');
