/* German of places. */
export const places = {} as const;
