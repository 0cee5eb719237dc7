/* German of mail. */
export const mail = {} as const;
