/** How many days a connection may be given; without any it lasts until somebody ends it. */
export const connectionLifetimes = [30, 90, 365] as const;
export type ConnectionLifetime = (typeof connectionLifetimes)[number];

/** Undefined for what is none of them. */
export function toConnectionLifetime(text: string): ConnectionLifetime | undefined {
  return connectionLifetimes.find((days) => String(days) === text);
}
