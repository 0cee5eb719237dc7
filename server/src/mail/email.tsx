import type { ComponentChildren, VNode } from "preact";
import { withoutLinks } from "../domain/shared/links.js";
import { quote, toShortLine } from "../domain/shared/quote.js";

/** An email before it gets its sender and recipient. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
  /** In addition to the headers of every email. */
  headers?: Readonly<Record<string, string>>;
}

/** An email's content, without layout. `renderEmail` creates the HTML and the plain text. */
export interface Email {
  subject: string;
  /** Inboxes show it after the subject. It adds to the subject instead of repeating it. */
  preheader: string;
  /** The organization that the email is about, as its people typed the name. */
  organization?: string;
  /** The first line: what happened. */
  news: Words;
  blocks: readonly Block[];
  /** Why the reader gets the email. */
  why: Words;
  /** For emails that the reader can turn off. */
  subscription?: { preferences: string; unsubscribe: string };
}

export type Block =
  | { kind: "paragraph"; words: Words }
  /** Written by a person. */
  | { kind: "quote"; words: string }
  /** At most one per email. `showAddress` also prints the link, for clients that lose buttons. */
  | (Link & { kind: "button"; showAddress?: boolean })
  | (Link & { kind: "link" })
  | { kind: "figures"; figures: readonly Figure[] }
  | { kind: "list"; heading?: string; items: readonly Item[]; more?: string };

export interface Link {
  label: string;
  href: string;
}

export interface Figure {
  label: string;
  value: string;
  isBad?: boolean;
}

export interface Item {
  /** Such as T-118. */
  number?: string;
  title: string;
  href: string;
  details: readonly Detail[];
  /** Written by a person. */
  quote?: string;
}

export interface Detail {
  words: string;
  isBad?: boolean;
}

/** A sentence whose names are quoted in plain text and bold in HTML. */
interface Sentence {
  text: string;
  html: ComponentChildren;
}

export type Words = string | Sentence;

type Piece = string | VNode;

/** Writes a sentence for both parts: `say((name) => tRich("{who} left.", { who: name(person) }))`. */
export function say(write: (name: (typed: string) => Piece) => readonly Piece[]): Sentence {
  return {
    text: write(nameOf)
      .map((piece) => (typeof piece === "string" ? piece : ""))
      .join(""),
    html: write((typed) => <strong dir="auto">{toPlainName(typed)}</strong>),
  };
}

export function toText(words: Words): string {
  return typeof words === "string" ? words : words.text;
}

export function paragraph(words: Words): Block {
  return { kind: "paragraph", words };
}

/** Names come from people: on one line, cut, and without anything that email clients turn into links. */
function nameOf(typed: string): string {
  return quote(withoutLinks(typed));
}

/** The name without quotation marks, where nothing of ours follows that it could imitate. */
export function toPlainName(typed: string): string {
  return toShortLine(withoutLinks(typed)).trim();
}
