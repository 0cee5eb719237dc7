import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { diagramStyle, drawDiagrams, linkPages, slugify } from "./markdown.js";
import { sidebar } from "./sidebar.js";

const root = resolve(fileURLToPath(import.meta.url), "../../..");

/** Pages outside of docs/. */
const ownPages = [
  "README.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "bridge/README.md",
  "test/bench/RESULTS.md",
];
const isPage = (path: string) =>
  ownPages.includes(path) || (path.startsWith("docs/") && path.endsWith(".md"));

export default defineConfig({
  title: "Fettle",
  description: "Asset and maintenance management that people and AI assistants work on together.",
  head: [["style", {}, diagramStyle]],
  // Links between the files of the repository work on the site as well.
  srcDir: "..",
  srcExclude: [
    "**/dist/**",
    ".github/**",
    "server/src/**",
    "shared/**",
    "test/!(bench)/**",
    "results/**",
    ".data/**",
  ],
  rewrites: { "README.md": "index.md", "bridge/README.md": "bridge/index.md" },
  cleanUrls: true,
  markdown: {
    anchor: { slugify },
    languageAlias: { caddyfile: "nginx", haproxy: "nginx" },
    config: (markdown) => {
      linkPages(markdown, { root, isPage });
      drawDiagrams(markdown);
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: "Get started", link: "/" },
      { text: "Operate", link: "/docs/operate/" },
      { text: "Tools", link: "/docs/tools" },
    ],
  },
  vite: { configFile: false, publicDir: false },
});
