import { existsSync } from "node:fs";
import { posix } from "node:path";
import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** The anchor of a heading, as GitHub makes it: links work there and on the site. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Colours of diagrams, in the light and the dark scheme. */
export const diagramStyle = `
.diagram svg {
  max-width: 100%;
  height: auto;
  --_text: var(--vp-c-text-1);
  --_text-sec: var(--vp-c-text-2);
  --_line: var(--vp-c-text-3);
  --_arrow: var(--vp-c-text-2);
  --_node-fill: var(--vp-c-bg-soft);
  --_node-stroke: var(--vp-c-border);
  --_group-fill: var(--vp-c-bg);
  --_group-hdr: var(--vp-c-bg-alt);
  --_inner-stroke: var(--vp-c-divider);
}`;

/** Draws Mermaid diagrams during the build, so that pages need no script for them. */
export function drawDiagrams(markdown: Markdown): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index] ?? { info: "", content: "" };
    if (info.trim() !== "mermaid") return fence?.(tokens, index, options, env, self) ?? "";
    const svg = renderMermaidSVG(content, { bg: "var(--vp-c-bg)", transparent: true, padding: 8 });
    // Its style loads a font from elsewhere, and Vue takes none within a page.
    const picture = svg.replace(/<style>[\s\S]*?<\/style>/, "");
    return `<div class="diagram" role="img" aria-label="Diagram">${picture}</div>`;
  };
}

/**
 * Pages link to files of the repository. The site has the pages of `isPage`; a README is the index of its
 * folder there. Links to other files become plain text, and links to nothing stay for the check of dead links.
 */
export function linkPages(
  markdown: Markdown,
  { root, isPage }: { root: string; isPage: (path: string) => boolean },
): void {
  const isFile = (path: string) => !isPage(path) && existsSync(posix.join(root, path));
  markdown.core.ruler.push("link-pages", ({ tokens, env }) => {
    const { relativePath = "" } = env as { relativePath?: string };
    const folder = posix.dirname(relativePath);
    for (const { children } of tokens) linkTokens(children ?? [], folder, isFile);
  });
}

type Token = ReturnType<Markdown["parse"]>[number];

function linkTokens(
  tokens: readonly Token[],
  folder: string,
  isFile: (path: string) => boolean,
): void {
  let isText = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const [path = "", anchor] = (token.attrGet("href") ?? "").split("#");
      if (path === "" || /^[a-z]+:/.test(path)) continue;
      isText = isFile(posix.join(folder, path));
      if (isText) [token.tag, token.attrs] = ["span", []];
      const page = path.replace(/(^|\/)README\.md$/, "$1index.md");
      if (!isText) token.attrSet("href", anchor === undefined ? page : `${page}#${anchor}`);
    } else if (token.type === "link_close" && isText) {
      token.tag = "span";
      isText = false;
    }
  }
}
