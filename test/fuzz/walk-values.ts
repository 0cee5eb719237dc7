import type { JsonSchema } from "../../server/src/mcp/json-schema.js";
import type { Json } from "../support/mcp.js";

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number in [0, 1) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error("There is nothing to choose from.");
    return item;
  }
}

/** Known records in the order in which they appeared. */
export interface Known {
  assets: { id: string; number: string; code: string }[];
  tasks: string[];
  workspaces: { id: string; name: string }[];
  people: { id: string; email: string }[];
  invites: string[];
  /** Pages of other kinds of records. */
  addresses: string[];
}

const words = [
  "Pump",
  "Valve",
  "Line 2",
  "Oil",
  "Grease",
  "Door drive",
  "Lift",
  "Käfig",
  "a, b; c",
  "=1+1",
];
const meters = ["h", "km", "cycles"];

export function argumentsFor(schema: JsonSchema, chance: Chance, known: Known): Json {
  const { properties = {}, required = [] } = schema;
  const optional = Object.keys(properties).filter(
    (name) => !required.includes(name) && !rare.has(name),
  );
  // Use only one of these arguments to name the subject.
  const subject = chance.pick([
    "asset_id",
    "asset_id",
    "asset_ids",
    "task_id",
    "task_id",
    "task_ids",
    "workspace_id",
  ]);
  const names = new Set([
    ...required,
    ...optional.filter(
      (name) => !subjects.has(name) && chance.is(3 / Math.max(optional.length, 4)),
    ),
    ...[subject, "asset_id", "task_id", "title", "name"]
      .filter((name) => name in properties)
      .slice(0, 2),
    ...Object.keys(properties).filter((name) => rare.has(name) && chance.is(0.06)),
  ]);
  if (names.has("asset_ids")) names.delete("asset_id");
  if (names.has("task_ids")) names.delete("task_id");
  const args = Object.fromEntries(
    [...names].map((name) => [name, valueFor(name, properties[name] ?? {}, chance, known)]),
  );
  if (typeof args["confirm_inventory_number"] === "string") {
    const asset = known.assets.find(({ id }) => id === args["asset_id"]);
    args["confirm_inventory_number"] = asset?.number ?? "none";
  }
  return args;
}

const subjects = new Set(["asset_ids", "task_ids", "asset_id", "task_id"]);
const rare = new Set([
  "cursor",
  "expected_version",
  "dry_run",
  "prepare_only",
  "assets",
  "merged_into",
  "client",
  "field",
  "fields",
  "include_ids",
]);

/** Values by argument name, for arguments whose type says too little. */
const named: Record<string, (chance: Chance, known: Known) => unknown> = {
  user_id: personOf,
  assigned_to_user_id: personOf,
  reassign_to_user_id: personOf,
  actor_user_id: personOf,
  invite_id: (chance, { invites }) => pickOr(chance, invites, "inv_000000000000"),
  task_id: (chance, { tasks }) => pickOr(chance, tasks, "T-999"),
  workspace_id: (chance, { workspaces }) =>
    chance.pick(["none", ...workspaces.flatMap(({ id, name }) => [id, name])]),
  asset_id: assetOf,
  parent_asset_id: assetOf,
  merged_into: assetOf,
  email: (chance) => `guest-${chance.integer(1, 9)}@example.com`,
  currency: (chance) => chance.pick(["EUR", "USD"]),
  request_key: (chance) => `key-${chance.integer(1, 20)}`,
  expected_version: (chance) => chance.integer(1, 4),
  inventory_number: (chance) => `N-${chance.integer(1, 30)}`,
  meter: (chance) => chance.pick(meters),
  meter_readings: (chance) => ({ [chance.pick(meters)]: chance.integer(0, 900) }),
  tag: (chance) => chance.pick(words),
  add_tags: (chance) => [chance.pick(["red", "blue"])],
  remove_tags: (chance) => [chance.pick(["red", "blue"])],
  limit: (chance) => chance.integer(1, 100),
  every: (chance) => chance.integer(1, 5),
  skip_labels: (chance) => chance.integer(0, 5),
  recurrence: recurrenceOf,
};

function valueFor(name: string, schema: JsonSchema, chance: Chance, known: Known): unknown {
  const find = named[name] ?? named[name.replace(/s$/, "")];
  if (schema.type === "array" && named[name] === undefined) {
    const of = name.replace(/s$/, "");
    const count = chance.integer(1, 3);
    const items = Array.from({ length: count }, () =>
      valueFor(of, schema.items ?? {}, chance, known),
    );
    return [...new Set(items)];
  }
  if (find !== undefined) return find(chance, known);
  if (schema.enum !== undefined) return chance.pick(schema.enum);
  if (schema.type === "boolean") return chance.is(0.5);
  if (schema.type === "integer") return chance.integer(schema.minimum ?? 0, 90);
  if (schema.type === "number") return chance.integer(0, 9000) / 10;
  if (schema.type === "object") return argumentsFor(schema, chance, known);
  return textFor(name, schema, chance);
}

function textFor(name: string, { format, dayOrInstant }: JsonSchema, chance: Chance): string {
  const day = chance.integer(-40, 200) * 86_400_000;
  if (format === "date" || dayOrInstant === true || /(?:_on|_date)$/.test(name))
    return new Date(Date.now() + day).toISOString().slice(0, 10);
  if (format === "date-time" || name.endsWith("_at"))
    return new Date(Date.now() - Math.abs(day) / 40).toISOString();
  return chance.is(0.05) ? "x".repeat(900) : `${chance.pick(words)} ${chance.integer(1, 9)}`;
}

function recurrenceOf(chance: Chance): Json {
  const calendar = {
    every: chance.integer(1, 4),
    unit: chance.pick(["day", "week", "month", "year"]),
  };
  const usage = { every_usage: chance.integer(10, 200), meter: chance.pick(meters) };
  const anchor = chance.pick(["due_date", "completion_date"]);
  const ends = { ends_on: "2027-12-31" };
  return {
    ...chance.pick<Json>([calendar, calendar, usage, { ...calendar, ...usage }]),
    ...(chance.is(0.3) && { anchor }),
    ...(chance.is(0.1) && ends),
  };
}

function personOf(chance: Chance, { people }: Known): string {
  return chance.pick(["me", "none", ...people.flatMap(({ id, email }) => [id, email])]);
}

function assetOf(chance: Chance, { assets }: Known): string {
  const asset = chance.pick([...assets, { id: "ast_000000000000", number: "none" }]);
  return chance.is(0.9) ? asset.id : asset.number;
}

function pickOr(chance: Chance, items: readonly string[], other: string): string {
  return chance.is(0.97) && items.length > 0 ? chance.pick(items) : other;
}

/** Returns a value for a form control that people type into. */
export function typedFor(name: string, type: string, chance: Chance): string {
  if (type === "date") return textFor("due_date", { format: "date" }, chance);
  if (type === "datetime-local")
    return new Date(Date.now() - chance.integer(0, 5) * 86_400_000).toISOString().slice(0, 16);
  if (type === "email") return `guest-${chance.integer(1, 9)}@example.com`;
  if (type === "number" || /cost|minutes|every|reading|usage/.test(name))
    return String(chance.integer(0, 200));
  return chance.is(0.2) ? "" : `${chance.pick(words)} ${chance.integer(1, 9)}`;
}
