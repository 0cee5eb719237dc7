import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import type { Change } from "../history/record-events.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import type { RowValues } from "./read-values.js";

/** What importing a row needs beside the row. */
export interface ImportContext {
  caller: Caller;
  mails: MailCipher;
}

/** The record that a row is about, if there is one already, with its fields as a file has them. */
export interface Match {
  id: string;
  version?: number | undefined;
  fields: RowValues;
  /** Values of a row that gives no others. */
  usual?: RowValues;
}

export interface RowResult {
  id: string;
  /** Number and name. */
  name: string;
  changed: readonly Change[];
}

/** With what is to be stored: all of a new record, what differs of one that is there. */
export interface CheckedRow {
  match: Match | undefined;
  values: RowValues;
}

/** How rows of a kind are matched and stored, by the rules that hold for everybody. */
export interface RowKind {
  /** What the file calls a row. */
  nameOf: (values: RowValues) => string;
  /** The value that only one row of a file can have. */
  keyOf: (values: RowValues) => string | undefined;
  /** The key of the row that this one is a part of, which is stored before it. */
  wholeOf?: (values: RowValues) => string | undefined;
  /** The records of several rows at once; undefined for those that are new. */
  match: (tx: Tx, caller: Caller, rows: readonly RowValues[]) => Promise<(Match | undefined)[]>;
  /** Reads what several rows need; the check that it gives refuses what the rules do, storing nothing. */
  prepareCheck: (
    tx: Tx,
    caller: Caller,
    rows: readonly CheckedRow[],
  ) => Promise<(row: CheckedRow) => Promise<unknown>>;
  /** Several new ones, together or not at all; left out where each is created alone. */
  createAll?: (tx: Tx, context: ImportContext, rows: readonly RowValues[]) => Promise<RowResult[]>;
  create: (tx: Tx, context: ImportContext, values: RowValues) => Promise<RowResult>;
  /** Only with what differs from the record. */
  update: (
    tx: Tx,
    context: ImportContext,
    match: Match,
    differing: RowValues,
  ) => Promise<RowResult>;
}
