import { instant, instantNow, json, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

const changeSetKinds = ["import", "undo", "call", "bulk"] as const;

/** "reading" while its plan is made, "applying" while its changes are made. */
const changeSetStates = ["reading", "planned", "applying", "applied"] as const;

/** How many rows or records have come out how. */
export type Counts = Record<string, number>;

/**
 * Changes that belong together: an import, what was undone in one go, a call of several records, or
 * what a person changed for many at once.
 */
export const ChangeSet = table(
  "change_sets",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    kind: oneOf(changeSetKinds),
    state: oneOf(changeSetStates),
    user_id: text().references("organization_members.user_id", "CASCADE"),
    /** The app that prepared it. */
    client_name: text().nullable(),
    /** What people call it, such as the name of a file. */
    title: text(),
    /** What the plan is made by; each kind has its own. */
    settings: json<object>().default({}),
    counts: json<Counts>().default({}),
    /** The set whose changes an undo takes back, where it is one. */
    undoes: text().nullable(),
    /** How far it is applied. */
    position: text().nullable(),
    /** When somebody last worked on it: a set that rests may be taken up by anybody. */
    worked_at: instant().nullable(),
    created_at: instantNow(),
    applied_at: instant().nullable(),
  },
  {
    indexes: { created_at: ["organization_id", "created_at", "id"] },
    sqlIndexes: ["undoes"],
    checks: ["title"],
  },
);
export type ChangeSet = Row<typeof ChangeSet>;
