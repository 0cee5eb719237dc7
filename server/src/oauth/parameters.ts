import type { FastifyRequest } from "fastify";
import { OauthFailure } from "./errors.js";

/** Parameters of a form or a query. An empty one counts as absent (OAuth 2.1 §3.1). */
export interface Parameters {
  values: ReadonlyMap<string, string>;
  /** Names that occurred more than once. */
  repeated: ReadonlySet<string>;
}

export function toParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value !== "") values.set(name, value);
  }
  return { values, repeated };
}

/** Database text can't contain NUL, and no parameter needs it. */
export function hasNul(values: ReadonlyMap<string, string>): boolean {
  return [...values.values()].some((value) => value.includes("\0"));
}

/** Parses the form of a machine endpoint. Throws on repeated parameters (RFC 6749 §3.2). */
export function readForm(request: FastifyRequest): ReadonlyMap<string, string> {
  const { values, repeated } = toParameters(typeof request.body === "string" ? request.body : "");
  if (repeated.size > 0) {
    throw new OauthFailure("invalid_request", "A parameter is there more than once.");
  }
  if (hasNul(values)) throw new OauthFailure("invalid_request", "A parameter contains NUL.");
  return values;
}
