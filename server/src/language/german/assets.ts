/* German of assets. */
export const assets = {} as const;
