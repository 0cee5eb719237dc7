/** Ends a transaction that must be retried because another change came first. */
export class RetryTransaction extends Error {}
