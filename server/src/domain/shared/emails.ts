import { z } from "zod";
import { AppError } from "../../errors.js";
import { cleanText, maxGivenEmail, toNfc } from "./text.js";

/**
 * What to look for when somebody says that this is their address; "" for what is nobody's. Addresses
 * are ASCII. To the database "İ" may be an "i" as well, and each spelling would have limits of its own.
 */
export function toLookup(email: string): string {
  const text = toNfc(email.trim(), maxGivenEmail);
  return /^[!-~]*$/.test(text) ? text : "";
}

/** An address as it is stored; refuses what is none. */
export function cleanEmail(value: string): string {
  const email = cleanText(value, { field: "email", max: 254 });
  if (!z.regexes.html5Email.test(email)) {
    throw new AppError("validation_failed", "no_email", { field: "email" });
  }
  return email;
}
