import { AppError } from "../../errors.js";

export function cleanTimeZone(value: string): string {
  try {
    // An offset like "+01:00" is a zone to Intl, but not a name.
    if (!/^[A-Z]/.test(value)) throw new RangeError("not a name");
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
  } catch (cause) {
    throw unknownTimeZone(cause);
  }
}

export function unknownTimeZone(cause: unknown): AppError {
  return new AppError("validation_failed", "unknown_time_zone", { field: "time_zone" }, { cause });
}
