/** Lifetimes in days. Without one, a connection lasts until someone ends it. */
export const connectionLifetimes = [30, 90, 365] as const;
export type ConnectionLifetime = (typeof connectionLifetimes)[number];

export function toConnectionLifetime(text: string): ConnectionLifetime | undefined {
  return connectionLifetimes.find((days) => String(days) === text);
}
