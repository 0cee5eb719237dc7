import type { ContentBlock } from "@modelcontextprotocol/server";
import type { Scope } from "fettle-shared";
import type { DataSource } from "typeorm";
import type { z } from "zod";
import type { Caller } from "../domain/access/caller.js";
import type { CursorCodec } from "../domain/lists/cursors.js";
import type { LabelLinkSigner } from "../domain/labels/label-links.js";
import type { MailCipher } from "../domain/mail/mail-cipher.js";

/** What a tool may use: who calls, with which scopes, and the database. */
export interface ToolContext {
  db: DataSource;
  caller: Caller;
  scopes: readonly Scope[];
  cursors: CursorCodec;
  labelLinks: LabelLinkSigner;
  mails: MailCipher;
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
  /** Parameters that must reach the domain exactly as they were sent: not trimmed, not converted. */
  verbatim?: readonly string[];
  /** Lists of free texts that may also come as one text with commas between them. */
  commaSeparated?: readonly string[];
  /** Lists that mean something when nothing is in them. */
  keptWhenEmpty?: readonly string[];
  /** Parameters that callers look for here, and the tool that has them. */
  elsewhere?: Partial<Record<string, string>>;
  handler(input: z.output<Input>, context: ToolContext): Promise<Nullable<z.input<Output>>>;
  /** What a result shows beside the answer itself, such as images and links. */
  content?(answer: Nullable<z.input<Output>>, input: z.output<Input>): ContentBlock[];
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
