import { z } from "zod";
import { AppError } from "../../errors.js";
import { cleanText, maxGivenEmail, toNfc } from "./text.js";

/** What to look for when somebody says that this is their address; "" for what is nobody's. */
export function toLookup(email: string): string {
  return email.includes("\0") ? "" : toNfc(email.trim(), maxGivenEmail);
}

/** An address as it is stored; refuses what is none. */
export function cleanEmail(value: string): string {
  const email = cleanText(value, { field: "email", max: 254 });
  if (!z.regexes.html5Email.test(email)) {
    throw new AppError("validation_failed", "no_email", { field: "email" });
  }
  return email;
}
