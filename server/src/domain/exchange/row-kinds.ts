import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import type { Change } from "../history/record-events.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import type { RowValues } from "./read-values.js";

export interface ImportContext {
  caller: Caller;
  mails: MailCipher;
}

/** The existing record of a row, with its fields as a file has them. */
export interface Match {
  id: string;
  version?: number | undefined;
  fields: RowValues;
  /** Default values for fields that the row omits. */
  usual?: RowValues;
}

export interface RowResult {
  id: string;
  /** Number and name. */
  name: string;
  changed: readonly Change[];
}

/**
 * Contains the values to store: all values of a new record, or the differences from an existing
 * one.
 */
export interface CheckedRow {
  match: Match | undefined;
  values: RowValues;
}

export interface RowKind {
  nameOf: (values: RowValues) => string;
  /** A value that only one row of a file can have. */
  keyOf: (values: RowValues) => string | undefined;
  /** The key of the row's parent, which is stored first. */
  wholeOf?: (values: RowValues) => string | undefined;
  /** Returns the records of several rows. Undefined for new rows. */
  match: (tx: Tx, caller: Caller, rows: readonly RowValues[]) => Promise<(Match | undefined)[]>;
  /**
   * Reads the data that several rows need. The returned check throws for rows that the rules
   * refuse, and stores nothing.
   */
  prepareCheck: (
    tx: Tx,
    caller: Caller,
    rows: readonly CheckedRow[],
  ) => Promise<(row: CheckedRow) => Promise<unknown>>;
  /** Creates several new records, all or none. Omitted if records are created one by one. */
  createAll?: (tx: Tx, context: ImportContext, rows: readonly RowValues[]) => Promise<RowResult[]>;
  create: (tx: Tx, context: ImportContext, values: RowValues) => Promise<RowResult>;
  /** Receives only the differences from the record. */
  update: (
    tx: Tx,
    context: ImportContext,
    match: Match,
    differing: RowValues,
  ) => Promise<RowResult>;
}
