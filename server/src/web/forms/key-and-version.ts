import { createToken } from "../../domain/shared/ids.js";
import { readText } from "./form-fields.js";

/** A new idempotency key for a form that creates something. */
export function createFormKey(): string {
  return createToken();
}

/** The form's idempotency key, `request_key`. Replaces an invalid one with a new key. */
export function readFormKey(body: unknown): string {
  const key = readText(body, "request_key");
  return /^[0-9a-z]{12}$/.test(key) ? key : createFormKey();
}

/**
 * The version that a form is based on, `expected_version`. Invalid text never came from our pages
 * and gives 0, which no record has.
 */
export function readVersion(body: unknown): number {
  const text = readText(body, "expected_version");
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
