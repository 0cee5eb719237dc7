import MarkdownIt, { type Token } from "markdown-it";
import { h, type ComponentChild, type VNode } from "preact";
import { toNfkc } from "../../domain/shared/text.js";

/** A text with more formatting characters was never meant to be formatted, and is slow to parse. */
const maxMarks = 500;
const mark = /[*_`[\]<>\\&:#+\n-]/g;

/** "zero" parses only paragraphs. This list contains every other supported part of Markdown. */
const parser = new MarkdownIt("zero", { html: false, linkify: true, maxNesting: 12 }).enable([
  "list",
  "heading",
  "blockquote",
  "fence",
  "emphasis",
  "backticks",
  "escape",
  "link",
  "autolink",
  "linkify",
  "newline",
]);
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.validateLink = isSafeLink;

/** Allows other sites by https. A user name before the host is made to mislead. */
function isSafeLink(href: string): boolean {
  if (!/^https:\/\//i.test(href) || !URL.canParse(href)) return false;
  const { username, password } = new URL(href);
  return username === "" && password === "";
}

/**
 * A text by a person or an assistant, with the part of Markdown that the tools describe. It never
 * produces HTML or pictures. Each kind of token becomes an element from this file, or its text.
 */
export function Markdown({
  text,
  class: own,
  isAsTyped = false,
}: {
  text: string;
  class?: string;
  /** Without formatting and links, for text by people without an account. */
  isAsTyped?: boolean;
}): VNode {
  const classes = own === undefined ? "written" : `written ${own}`;
  if (isAsTyped || (text.match(mark)?.length ?? 0) > maxMarks) {
    return (
      <div class={`${classes} as-typed`} dir="auto">
        {text}
      </div>
    );
  }
  return (
    <div class={classes} dir="auto">
      {toNodes(parser.parse(text, {}))}
    </div>
  );
}

type Attributes = Record<string, string | number>;
type Element = (token: Token) => [name: string, attributes?: Attributes];

/** The elements that this kind of token opens and its closing token ends. */
const elements: Record<string, Element> = {
  paragraph_open: () => ["p"],
  // The page has its own headings.
  heading_open: () => ["p", { class: "written-heading" }],
  blockquote_open: () => ["blockquote"],
  bullet_list_open: () => ["ul"],
  ordered_list_open: (token) => ["ol", { start: Number(token.attrGet("start") ?? 1) }],
  list_item_open: () => ["li"],
  em_open: () => ["em"],
  strong_open: () => ["strong"],
  link_open: (token) => {
    const href = hrefOf(token);
    return href === "" ? [""] : ["a", { href, rel: "nofollow noopener noreferrer" }];
  },
};

/** Empty for "[words]()", which has no target and is shown as its text. */
function hrefOf(link: Token): string {
  return String(link.attrGet("href") ?? "");
}

/**
 * The part of an address that people take for its host, at the start of a word. Without bounds, a
 * long word would be searched to its end from each letter.
 */
const host = /(?:[\p{L}\p{N}-]{1,63}\.){1,20}[\p{L}\p{N}-]{2,63}/gu;
const path = /[/?#].*$/;

/** The real host of a link whose text names another one, which may be made to mislead. */
function hiddenHost(href: string, text: string): string | undefined {
  const { hostname } = new URL(href);
  const words = toNfkc(text).replaceAll("。", ".").split(/\s+/);
  const named = words.flatMap((word) => {
    const address = word.replace(/^.*?:\/+/, "").replace(path, "");
    return address.match(host) ?? [];
  });
  const isOther = named.some((one) => {
    const address = `https://${one}`;
    return !URL.canParse(address) || new URL(address).hostname !== hostname;
  });
  return isOther ? hostname : undefined;
}

/** Tokens that are complete on their own. */
const leaves: Record<string, (token: Token) => ComponentChild> = {
  softbreak: () => <br />,
  hardbreak: () => <br />,
  code_inline: ({ content }) => <code>{content}</code>,
  fence: ({ content }) => (
    <pre>
      <code>{content}</code>
    </pre>
  ),
  inline: ({ children }) => <>{toNodes(children ?? [])}</>,
};

function toNodes(tokens: readonly Token[]): ComponentChild[] {
  const root: ComponentChild[] = [];
  const open: { element: ReturnType<Element>; content: ComponentChild[] }[] = [];
  const add = (node: ComponentChild) => (open.at(-1)?.content ?? root).push(node);
  for (const [at, token] of tokens.entries()) {
    if (token.nesting === 1) {
      // Paragraphs in a list without empty lines are not rendered.
      const element: ReturnType<Element> = token.hidden
        ? [""]
        : (elements[token.type]?.(token) ?? [""]);
      open.push({ element, content: [] });
    } else if (token.nesting === -1) {
      const ended = open.pop();
      if (ended === undefined) continue;
      const [name, attributes] = ended.element;
      ended.content.push(hostNote(tokens, at));
      add(name === "" ? <>{ended.content}</> : h(name, attributes ?? null, ended.content));
    } else {
      add(leaves[token.type]?.(token) ?? token.content);
    }
  }
  return root;
}

/** At the end of a link: its host, if its text names another one. */
function hostNote(tokens: readonly Token[], end: number): ComponentChild {
  if (tokens[end]?.type !== "link_close") return null;
  const begin = tokens.findLastIndex(({ type }, at) => at < end && type === "link_open");
  const link = tokens[begin];
  if (link === undefined || link.info === "auto" || hrefOf(link) === "") return null;
  const text = tokens.slice(begin, end).map(({ content }) => content);
  const hidden = hiddenHost(hrefOf(link), text.join(""));
  return hidden === undefined ? null : ` (${hidden})`;
}
