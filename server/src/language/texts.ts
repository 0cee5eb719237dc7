import type english from "./texts/en.json";

/** A text's key: its English words, plus `||` with a meaning where the words are ambiguous. */
export type Text = keyof typeof english;

/** A text without arguments and elements. */
export type PlainText = Exclude<Text, `${string}{${string}` | `${string}</${string}`>;

/**
 * The names in `{name}` and `{count, plural, one {# task of {name}} other {# tasks of {name}}}`.
 * Words of plural branches are not names.
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

export type Tags<Message extends string> = Message extends `${string}</${infer Name}>${infer After}`
  ? Name | Tags<After>
  : never;
