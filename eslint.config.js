import eslint from "@eslint/js";
import globals from "globals";
import tseslint from "typescript-eslint";
import { findFaults } from "./words.js";

const otherClocks =
  "/\\b(now\\(\\)|(clock|statement|transaction)_timestamp\\b|(current|local)_(date|time))/i";

const syntax = [
  { selector: "ExportDefaultDeclaration", message: "Named exports only." },
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: "The environment is read in main.ts only.",
  },
  {
    selector:
      "CallExpression[callee.property.name='normalize']:not([callee.object.name='character'])",
    message: "Piles of marks take quadratic time: texts are normalized in values/text.ts.",
  },
  {
    selector: `:matches(Literal[value=${otherClocks}], TemplateElement[value.raw=${otherClocks}])`,
    message: "Statements have one clock, app_now().",
  },
];

const spoken =
  "/^(title|label|help|empty|submit|heading|cancelWords|aria-label|alt|placeholder|legend)$/";

/** Selectors for text of pages and emails that would be English in every language. */
const untranslated = [
  "JSXText[value=/[A-Za-z]{2}/]:not([value=/^\\s*(Fettle|CSV|Excel)\\s*$/])",
  `JSXAttribute[name.name=${spoken}] > Literal[value=/[A-Za-z]{2}/]:not([value="Fettle"])`,
  ":not(NewExpression[callee.name='Error']) > TemplateLiteral > TemplateElement[value.raw=/[A-Za-z]{2,},? [A-Za-z]{2,}/]",
].map((selector) => ({
  selector,
  message: "Sentences go through t(), see language/translate.ts.",
}));

/** Requires plain English in comments, see words.js. */
const plainWords = {
  create: ({ report, sourceCode }) => ({
    Program: () => {
      for (const comment of sourceCode.getAllComments()) {
        for (const message of findFaults(comment.value)) report({ loc: comment.loc, message });
      }
    },
  }),
};

export default tseslint.config(
  {
    ignores: [
      "**/dist/**",
      "**/node_modules/**",
      "docs/.vitepress/cache/**",
      "server/src/web/public/**",
    ],
  },
  eslint.configs.recommended,
  {
    plugins: { texts: { rules: { "plain-words": plainWords } } },
    rules: { "texts/plain-words": "error" },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: "test/tsconfig.json",
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "max-lines": ["error", { max: 500 }],
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 12],
      "no-console": "error",
      "no-restricted-syntax": ["error", ...syntax],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: [
      "server/src/main.ts",
      "server/src/domain/shared/text.ts",
      "bridge/src/main.ts",
      "test/**",
      "*.config.ts",
      "docs/.vitepress/config.ts",
    ],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["server/src/**/*.{ts,tsx}"],
    ignores: ["server/src/db/**"],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        { name: "typeorm", message: "Only db/ knows typeorm; take it from db/database.ts." },
      ],
    },
  },
  {
    files: ["test/**"],
    rules: { "max-lines": ["error", { max: 600 }], "max-lines-per-function": "off" },
  },
  {
    files: ["server/src/{mail,oauth,web}/**/*.tsx"],
    rules: { "no-restricted-syntax": ["error", ...syntax, ...untranslated] },
  },
  { files: ["test/{bench,conformance,fuzz}/**"], rules: { "no-console": "off" } },
  {
    files: ["**/*.{js,cjs,mjs}"],
    ignores: ["server/src/mcp/views/public/**"],
    languageOptions: { globals: globals.node },
  },
  {
    files: ["server/src/mcp/views/public/**"],
    languageOptions: { globals: globals.browser },
    rules: { "max-lines": ["error", { max: 300 }], complexity: ["error", 12] },
  },
);
