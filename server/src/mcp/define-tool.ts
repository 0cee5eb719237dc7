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

/** What a tool may use: who calls, with which scopes, and the database. */
export interface ToolContext {
  db: Database;
  caller: Caller;
  scopes: readonly Scope[];
  cursors: CursorCodec;
  labelLinks: LabelLinkSigner;
  mails: MailCipher;
  /** Tells the client how far a change of several records is. */
  report: Report;
}

/** All four hints, so that no host has to guess. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** An answer before empty values are left out: what is optional may also be null. */
export type Nullable<Value> = Value extends readonly (infer Item)[]
  ? readonly Nullable<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Nullable<Value[Key]> | (undefined extends Value[Key] ? null : never) }
    : Value;

/** What a person says yes to before a call is done. */
export interface Confirmation<Answer> {
  /** Whether it deletes, which an organization may want confirmed in any case. */
  deletes: boolean;
  /** By the answer of a dry run: what is refused anyway is not asked. */
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
  /** The address of the view that shows the answers, in hosts that have MCP Apps. */
  view?: string;
  /** Parameters that must reach the domain exactly as they were sent: not trimmed, not converted. */
  verbatim?: readonly string[];
  /** Lists of free texts that may also come as one text with commas between them. */
  commaSeparated?: readonly string[];
  /** Lists that mean something when nothing is in them. */
  keptWhenEmpty?: readonly string[];
  /** Parameters that callers look for here, and what to do instead. */
  elsewhere?: Partial<Record<string, string>>;
  /** Names that parameters had before, which are still accepted, with those they have now. */
  formerNames?: Readonly<Record<string, string>>;
  /** Parameters each of which makes it a change of several records, which hold much for long. */
  several?: readonly string[];
  /** What the person says yes to before this call is done, where that can be asked. */
  confirmation?(input: z.output<Input>): Confirmation<Nullable<z.input<Output>>> | undefined;
  handler(input: z.output<Input>, context: ToolContext): Promise<Nullable<z.input<Output>>>;
  /** What a result shows beside the answer itself, such as images and links. */
  content?(answer: Nullable<z.input<Output>>, input: z.output<Input>): ContentBlock[];
}

/** A tool with its schemas converted, once for the life of the process. */
export interface RegisteredTool {
  tool: Tool;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
}

/** Gives a definition its types; it adds nothing at run time. */
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

/** Changes that can be put back; `idempotent` when repeating a call changes nothing more. */
export function changes({
  idempotent,
  destructive = false,
  openWorld = false,
}: {
  idempotent: boolean;
  destructive?: boolean;
  /** Reaches people outside, by mail. */
  openWorld?: boolean;
}): ToolHints {
  return {
    readOnlyHint: false,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  };
}
