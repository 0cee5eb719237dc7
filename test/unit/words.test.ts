import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findFaults } from "../../words.js";
import { trackedFiles } from "../support/tracked-files.js";

const read = (path: string) => readFileSync(path, "utf8");
const faultsOf = (texts: readonly string[]) =>
  texts.flatMap((text) => findFaults(text).map((fault) => `${text.slice(0, 100)} → ${fault}`));

test("finds the banned words", () => {
  expect(findFaults("Nobody may look at it any more.")).toHaveLength(3);
  expect(findFaults("What is due on which day goes by the organization.")).toHaveLength(2);
  expect(findFaults("What needs attention? Send the email to someone in `mail`.")).toEqual([]);
});

test("English texts of pages, emails and errors contain no banned words", () => {
  const keys = Object.keys(JSON.parse(read("server/src/language/texts/en.json")) as object);
  const texts = keys.map((key) => key.replace(/\|\|.*$/s, "").replaceAll(/<[^>]*>/g, ""));
  // Names: a page of the settings, and a column of a table.
  const named = new Set(["Mail", "What"]);
  expect(faultsOf(texts.filter((text) => !named.has(text)))).toEqual([]);
});

const docs = trackedFiles("*.md");

test.each(docs)("%s contains no banned words", (path) => {
  const prose = read(path).replaceAll(/^( *)(```|~~~)[^]*?^\1\2/gm, "");
  expect(faultsOf(prose.split(/\n{2,}|\n(?=[|#-])/))).toEqual([]);
});

/** Returns comments that have their own lines, without their marks. */
function commentsOf(source: string): string[] {
  const marks = /^ *(?:\/\*+|\*|\/\/|--|#) ?/gm;
  const blocks = source.matchAll(/\/\*[^]*?\*\/|^ *(\/\/|--|#) .*(?:\n *\1 .*)*/gm);
  return [...blocks].map(([block]) => block.replaceAll(marks, "").replaceAll("\n", " "));
}

test("comments that ESLint does not check contain no banned words", () => {
  const browser = ["*.css", "server/src/web/public/*.js"];
  const operation = ["*.sql", "*.sh", ".ci/*", "*.yml", "*.yaml", "*Dockerfile"];
  const comments = trackedFiles(...browser, ...operation).flatMap((path) => commentsOf(read(path)));

  expect(comments.length).toBeGreaterThan(200);
  expect(faultsOf(comments)).toEqual([]);
});
