import type { User } from "../../db/entities/accounts.js";
import { toLocale, type Locale } from "../../language/locale.js";

export interface Reader extends Pick<User, "id" | "name"> {
  email: string;
  locale: Locale;
  /** Null means the organization's time zone. */
  timeZone: string | null;
}

export type ReaderRow = Omit<Reader, "locale"> & { locale: string };

/** Columns of `users`. */
export const readerColumns = `id, name, email::text AS email, locale, time_zone AS "timeZone"`;

export function toReader({ id, name, email, locale, timeZone }: ReaderRow): Reader {
  return { id, name, email, locale: toLocale(locale), timeZone };
}
