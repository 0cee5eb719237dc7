/* German of refusals. */
export const refusals = {} as const;
