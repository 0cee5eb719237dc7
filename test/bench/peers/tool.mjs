import { createHash } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import { findPerson, listAssets } from "../floor-answers.ts";

/* The peers' only tool, with the floor's token check, statements and answer. */

pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

export const name = "list_assets";
export const description = "List assets.";
export const input = z.object({ limit: z.int().min(1).max(100).default(25) });

const text = z.string();
const row = z.object({
  ...{ id: text, inventory_number: text, name: text, state: text },
  category: text.optional(),
  workspace_id: text.optional(),
  workspace_name: text.optional(),
  location: text.optional(),
  assigned_to_user_id: text.optional(),
  assigned_to: text.optional(),
  criticality: text.optional(),
});

export const output = z.object({
  assets: z.array(row),
  total_count: z.int(),
  total_is_minimum: z.literal(true).optional(),
  next_cursor: text.optional(),
});

/** Returns undefined unless the bearer token is valid. Looks it up for every request. */
export function authenticate(authorization = "") {
  const token = authorization.replace("Bearer ", "");
  return findPerson(pool, createHash("sha256").update(token).digest());
}

export async function answer(person, { limit }) {
  const structuredContent = await listAssets(pool, person, limit);
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent,
  };
}

export function announce(port) {
  console.log(JSON.stringify({ msg: "ready", url: `http://127.0.0.1:${port}` }));
}
