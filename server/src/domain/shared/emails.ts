import { z } from "zod";
import { AppError } from "../../errors.js";
import { cleanText, maxGivenEmail, toNfc } from "./text.js";

/**
 * Normalizes a typed email for lookups. Returns "" if it can't exist. Emails are ASCII: the
 * database may match "İ" with "i", and each spelling would have separate rate limits.
 */
export function toLookup(email: string): string {
  const text = toNfc(email.trim(), maxGivenEmail);
  return /^[!-~]*$/.test(text) ? text : "";
}

export function cleanEmail(value: string): string {
  const email = cleanText(value, { field: "email", max: 254 });
  if (!z.regexes.html5Email.test(email)) {
    throw new AppError("validation_failed", "no_email", { field: "email" });
  }
  return email;
}
