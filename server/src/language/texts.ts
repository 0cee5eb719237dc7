import type english from "./texts/en.json";

/** The key of a text: its English words, and `||` with a meaning where one is not enough. */
export type Text = keyof typeof english;

/** One without arguments and elements. */
export type PlainText = Exclude<Text, `${string}{${string}` | `${string}</${string}`>;

/**
 * The names in `{name}` and `{count, plural, one {# task of {name}} other {# tasks of {name}}}`; the
 * words of its branches are none.
 */
export type Arguments<Message extends string> = Message extends `${infer Before}{${infer After}`
  ? (Before extends `${string}${BeforeBranch} ` ? never : NameOf<After>) | Arguments<After>
  : never;

type BeforeBranch = "} other" | `${", " | "} "}${"one" | `=${number}`}`;

type NameOf<After extends string> = After extends `${infer Inner}}${string}`
  ? Inner extends `${infer Name},${string}`
    ? Name
    : Inner
  : never;

/** The names in `<name>…</name>`. */
export type Tags<Message extends string> = Message extends `${string}</${infer Name}>${infer After}`
  ? Name | Tags<After>
  : never;
