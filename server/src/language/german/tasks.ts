/* German of tasks. */
export const tasks = {} as const;
