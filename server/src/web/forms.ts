import { AppError } from "../errors.js";
import type { FormError } from "./parts.js";

/** The named fields of a posted form as texts; one that is missing or came twice is empty. */
export function readFields<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const given = new Map(Object.entries(typeof body === "object" && body !== null ? body : {}));
  const pairs = names.map((name): [Name, string] => {
    const value: unknown = given.get(name);
    return [name, typeof value === "string" ? value : ""];
  });
  return Object.fromEntries(pairs) as Record<Name, string>;
}

/** What a refused field says on its page; every other error is thrown on. */
export function toFormErrors(error: unknown): FormError[] {
  if (!(error instanceof AppError) || error.field === undefined) throw error;
  const sentence = error.message.replace(/^Validation failed: /, "");
  return [{ field: error.field, message: sentence.charAt(0).toUpperCase() + sentence.slice(1) }];
}
