import { t } from "../language/translate.js";
import { toPlainName, toText, type Block, type Email, type Item, type Link } from "./email.js";

/** Lines up to this length travel unencoded, so links stay in one piece in the message source. */
const width = 76;

export function renderText({ news, blocks, organization, why, subscription }: Email): string {
  const sender = organization === undefined ? "Fettle" : toPlainName(organization);
  const footer = ["-- ", sender, wrap(toText(why))].join("\n");
  const links = subscription && [
    { label: t("Unsubscribe"), href: subscription.unsubscribe },
    { label: t("Email preferences"), href: subscription.preferences },
  ];
  const button = blocks.find(({ kind }) => kind === "button") as Link | undefined;
  const written = blocks.map((block) => writeBlock(block, button?.href));
  const parts = [wrap(toText(news)), ...written, footer];
  return [...parts, ...(links ?? []).map(writeLink)].join("\n\n") + "\n";
}

/** Items leave out the link that the button repeats. */
function writeBlock(block: Block, ofButton: string | undefined): string {
  switch (block.kind) {
    case "paragraph":
      return wrap(toText(block.words));
    case "quote":
      return wrap(block.words, "> ");
    case "button":
    case "link":
      return writeLink(block);
    case "figures":
      return block.figures
        .map(({ label, value }) => `- ${t("{label}: {value}", { label, value })}`)
        .join("\n");
    case "list":
      return [
        ...(block.heading === undefined ? [] : [t("{label}:", { label: block.heading })]),
        ...block.items.map((item) => writeItem(item, ofButton)),
        ...(block.more === undefined ? [] : [block.more]),
      ].join("\n\n");
  }
}

function writeItem(
  { number, title, href, details, quote }: Item,
  ofButton: string | undefined,
): string {
  const heading = number === undefined ? title : `${number} ${title}`;
  return [
    wrap(heading, "  ").replace(/^ {2}/, "- "),
    ...(details.length === 0 ? [] : [wrap(details.map(({ words }) => words).join(" · "), "  ")]),
    ...(quote === undefined ? [] : [wrap(quote, "  > ")]),
    ...(href === ofButton ? [] : [`  ${href}`]),
  ].join("\n");
}

/** The link is on its own line. */
function writeLink({ label, href }: Link): string {
  return `${t("{label}:", { label })}\n${href}`;
}

/** Breaks lines between words, and starts each line with the indent. */
function wrap(text: string, indent = ""): string {
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, width - indent.length))
    .map((line) => `${indent}${line}`)
    .join("\n");
}

function wrapLine(line: string, max: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current === "") current = word;
    else if (current.length + 1 + word.length <= max) current += ` ${word}`;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current];
}
