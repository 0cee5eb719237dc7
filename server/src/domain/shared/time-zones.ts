import { AppError } from "../../errors.js";

export function cleanTimeZone(value: string): string {
  try {
    // Intl accepts an offset like "+01:00", but it isn't a name.
    if (!/^[A-Z]/.test(value)) throw new RangeError("not a name");
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
  } catch (cause) {
    throw unknownTimeZone(cause);
  }
}

export function unknownTimeZone(cause: unknown): AppError {
  return new AppError("validation_failed", "unknown_time_zone", { field: "time_zone" }, { cause });
}
