import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { slugify } from "../../docs/.vitepress/markdown.js";
import { sidebar } from "../../docs/.vitepress/sidebar.js";
import { trackedFiles } from "../support/tracked-files.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = trackedFiles("*.md");
/** Files with code names: programs, SQL and settings. */
const sources = trackedFiles(
  ...["*.ts", "*.tsx", "*.sql", "*.yml", "*.js", "*.mjs", "*.cjs", "package.json"],
);
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Without blocks of code, and with or without code within sentences. */
const withoutBlocks = (text: string) => text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "");
const withoutCode = (text: string) => withoutBlocks(text).replaceAll(/`[^`\n]*`/g, "");

function linksOf(page: string): string[] {
  const text = withoutCode(read(page));
  const found = text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g);
  return [...found].map(([, markdown, html]) => markdown ?? html ?? "");
}

function anchorsOf(page: string): Set<string> {
  const counts = new Map<string, number>();
  const headings = withoutBlocks(read(page)).matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) => {
      const slug = slugify(heading.replaceAll(/`|\*\*|\[([^\]]+)\]\([^)]*\)/g, "$1"));
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

function isDead(page: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : posix.join(posix.dirname(page), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).has(anchor);
}

describe("documentation pages", () => {
  test.each(pages)("%s links to files and headings that exist", (page) => {
    expect(linksOf(page).filter((link) => isDead(page, link))).toEqual([]);
  });

  test.each(["docs/architecture.md", "CONTRIBUTING.md"])("%s names paths that exist", (page) => {
    const folders = readdirSync(join(root, "server/src"));
    const names = [...withoutBlocks(read(page)).matchAll(/`([\w./-]+)`/g)].map(
      ([, name = ""]) => name,
    );
    const paths = names
      .filter((name) => name.includes("/") && !/NN-|^tools\/call$/.test(name))
      .map((name) => (folders.includes(name.split("/")[0] ?? "") ? `server/src/${name}` : name))
      .filter((name) => !name.startsWith("docs/.vitepress/dist"));

    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("code names in pages exist in the sources", () => {
    const named = pages.filter((page) => /^(docs\/|CONTRIBUTING|README|SECURITY)/.test(page));
    const names = named.flatMap((page) =>
      [...withoutBlocks(read(page)).matchAll(/`([a-z]\w*[A-Z]\w*|\w*[a-z]_\w*)(?:\([^`]*)?`/g)].map(
        ([, name = ""]) => name,
      ),
    );
    const known = new Set(sources.map(read).join("\n").match(/\w+/g));

    expect(names.length).toBeGreaterThan(100);
    // A program of PostgreSQL.
    expect(names.filter((name) => name !== "pg_dump" && !known.has(name))).toEqual([]);
  });

  test("the sidebar lists every page of docs/ and no other", () => {
    const linked = sidebar
      .flatMap(({ items = [] }) => [...items, ...items.flatMap((item) => item.items ?? [])])
      .flatMap(({ link }) => (link?.startsWith("/docs/") === true ? [link.slice(1)] : []))
      .map((link) => (link.endsWith("/") ? `${link}index.md` : `${link}.md`));

    expect(linked.toSorted()).toEqual(pages.filter((page) => page.startsWith("docs/")).toSorted());
  });

  test.each([
    ["README.md", 8],
    ["SECURITY.md", 3],
    ["CONTRIBUTING.md", 10],
    ["bridge/README.md", 9],
    ["docs/architecture.md", 9],
    ["docs/security.md", 8],
    ["docs/clients.md", 7],
    ["docs/tools.md", 30],
  ])("%s has at most %i kB", (page, kilobytes) => {
    expect(statSync(join(root, page)).size).toBeLessThanOrEqual(kilobytes * 1000);
  });

  test("all pages together take less than 150 kB", () => {
    // Measurements are a record, and the terms of a language are for translators.
    const isOther = (page: string) => /^(test\/bench|server\/src\/language)\//.test(page);
    const sizes = pages
      .filter((page) => !isOther(page))
      .map((page) => statSync(join(root, page)).size);

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });
});
