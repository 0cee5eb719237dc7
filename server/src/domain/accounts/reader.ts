import type { User } from "../../db/entities/accounts.js";
import { toLocale, type Locale } from "../../language/locale.js";

export interface Reader extends Pick<User, "id" | "name"> {
  email: string;
  jobTitle: string | null;
  locale: Locale;
  /** Null means the organization's time zone. */
  timeZone: string | null;
}

export type ReaderRow = Omit<Reader, "locale"> & { locale: string };

/** Columns of `users`. */
export const readerColumns = `id, name, email::text AS email, job_title AS "jobTitle", locale, time_zone AS "timeZone"`;

export function toReader({ locale, ...row }: ReaderRow): Reader {
  return { ...row, locale: toLocale(locale) };
}
