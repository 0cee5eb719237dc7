/* German of account. */
export const account = {} as const;
