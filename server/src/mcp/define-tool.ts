import type { ContentBlock } from "@modelcontextprotocol/server";
import type { Scope } from "fettle-shared";
import type { z } from "zod";
import type { Database } from "../db/database.js";
import type { Caller } from "../domain/access/caller.js";
import type { Report } from "../domain/history/change-all.js";
import type { AskedCall, Question } from "../domain/access/confirmations.js";
import type { CursorCodec } from "../domain/shared/cursors.js";
import type { LabelLinkSigner } from "../domain/labels/label-links.js";
import type { MailCipher } from "../domain/messaging/mail-cipher.js";
import type { JsonSchema } from "./json-schema.js";

export interface ToolContext {
  db: Database;
  caller: Caller;
  scopes: readonly Scope[];
  cursors: CursorCodec;
  labelLinks: LabelLinkSigner;
  mails: MailCipher;
  /** Reports the progress of a change of several records to the client. */
  report: Report;
}

/** All four hints are required, so no host has to guess. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A response before empty values are removed. Optional values may also be null. */
export type Nullable<Value> = Value extends readonly (infer Item)[]
  ? readonly Nullable<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Nullable<Value[Key]> | (undefined extends Value[Key] ? null : never) }
    : Value;

export interface Confirmation<Answer> {
  /** True for deletions. An organization may require their confirmation in any case. */
  deletes: boolean;
  /** Uses a dry run's result, so refused calls ask nothing. */
  ask: (foreseen: Answer) => Question & Pick<AskedCall, "subject"> & { label: string };
}

export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  annotations: ToolHints;
  input: Input;
  output: Output;
  /** The address of the view for the responses, in hosts with MCP Apps. */
  view?: string;
  /** Parameters that must reach the domain exactly as sent: not trimmed, not converted. */
  verbatim?: readonly string[];
  /** Lists of free texts that may also be sent as one comma-separated text. */
  commaSeparated?: readonly string[];
  /** Lists that have a meaning when empty. */
  keptWhenEmpty?: readonly string[];
  /** Parameters that callers expect here, with the alternative. */
  elsewhere?: Partial<Record<string, string>>;
  /** Names that parameters had before, which are still accepted, with those they have now. */
  formerNames?: Readonly<Record<string, string>>;
  /**
   * Parameters that each make the call a change of several records, which holds locks and memory
   * longer.
   */
  several?: readonly string[];
  /** The confirmation before this call, in clients that support it. */
  confirmation?(input: z.output<Input>): Confirmation<Nullable<z.input<Output>>> | undefined;
  handler(input: z.output<Input>, context: ToolContext): Promise<Nullable<z.input<Output>>>;
  /** Additional content blocks of a result, such as images and links. */
  content?(answer: Nullable<z.input<Output>>, input: z.output<Input>): ContentBlock[];
}

/** A tool with its schemas, converted once per process. */
export interface RegisteredTool {
  tool: Tool;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
}

/** Infers the types of a definition. Does nothing at run time. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool;
}

export const readOnly: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Hints for undoable changes. `idempotent` if repeating a call changes nothing more. */
export function changes({
  idempotent,
  destructive = false,
  openWorld = false,
}: {
  idempotent: boolean;
  destructive?: boolean;
  /** Contacts people outside, by email. */
  openWorld?: boolean;
}): ToolHints {
  return {
    readOnlyHint: false,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  };
}
