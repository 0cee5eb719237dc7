import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieOptions } from "../layout/cookie-options.js";
import { readAll } from "../forms/form-fields.js";

/** The columns that this browser shows in a list, until others are chosen. */
const cookieOf = (path: string) => `__Host-fettle-columns-${path.slice(1)}`;
const lifeSeconds = 365 * 24 * 60 * 60;

/** Keeps the columns that the list's form chose. Returns false if it was another request. */
export function keepColumns(request: FastifyRequest, reply: FastifyReply, path: string): boolean {
  const asked = readAll(request.query, "columns");
  if (asked.length === 0) return false;
  const columns = asked.filter((one) => /^[a-z]+$/.test(one)).slice(0, 20);
  const name = cookieOf(path);
  if (columns.length === 0) void reply.clearCookie(name, cookieOptions);
  else void reply.setCookie(name, columns.join("."), { ...cookieOptions, maxAge: lifeSeconds });
  return true;
}

export function readColumns({ cookies }: FastifyRequest, path: string): string[] {
  return (cookies[cookieOf(path)] ?? "").split(".").filter((column) => column !== "");
}
