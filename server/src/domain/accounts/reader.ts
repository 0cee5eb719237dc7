import type { User } from "../../db/entities/accounts.js";
import { toLocale, type Locale } from "../../language/locale.js";

/** Who looks at pages, and how they want to read them. */
export interface Reader extends Pick<User, "id" | "name"> {
  email: string;
  locale: Locale;
  /** Their own; null is that of the organization. */
  timeZone: string | null;
}

export type ReaderRow = Omit<Reader, "locale"> & { locale: string };

/** Of `users`. */
export const readerColumns = `id, name, email::text AS email, locale, time_zone AS "timeZone"`;

export function toReader({ id, name, email, locale, timeZone }: ReaderRow): Reader {
  return { id, name, email, locale: toLocale(locale), timeZone };
}
