// Takes the place of optional peers of the Redis client, which it asks for only when told to use them.
export {};
