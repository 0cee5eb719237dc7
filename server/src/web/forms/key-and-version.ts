import { createToken } from "../../domain/shared/ids.js";
import { readText } from "./form-fields.js";

/** A new key for a form that creates something: sent twice, it creates once. */
export function createFormKey(): string {
  return createToken();
}

/** The key that a form came with, `request_key`; a new one in place of what is none of ours. */
export function readFormKey(body: unknown): string {
  const key = readText(body, "request_key");
  return /^[0-9a-z]{12}$/.test(key) ? key : createFormKey();
}

/**
 * The version that a form was made on, `expected_version`. What is no version was never ours, and no
 * record is at 0.
 */
export function readVersion(body: unknown): number {
  const text = readText(body, "expected_version");
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
