/** What is loaded at the first call: core with its transport. */
export { createClient } from '@order-license/core';
