import { createHash } from "node:crypto";

/** A whole page for the browser, with the status it is answered with. */
export interface Page {
  status: number;
  html: string;
}

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f6f7f9;color:#1b1f24;font:1.125rem/1.6 system-ui,sans-serif}
main{box-sizing:border-box;max-width:34rem;padding:2rem 1.5rem}
h1{margin:0 0 1rem;font-size:1.75rem;line-height:1.25}
p{margin:0 0 1rem;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{background:#14171b;color:#e8eaed}}`;

/** Sent with every page: nothing is loaded, kept, framed or told to others. */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${sha256(style)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

export function signedInPage(host: string): Page {
  return page(200, "You are signed in", [
    `You are signed in to ${host}.`,
    "You can close this window and go back to your assistant.",
  ]);
}

export function deniedPage(host: string): Page {
  return page(200, "Access was not given", [
    `Nothing was shared, and your assistant is not signed in to ${host}.`,
    "If that was a mistake, ask your assistant again. You can close this window.",
  ]);
}

export function failedPage(host: string): Page {
  return page(502, "The sign-in did not work", [
    `Your assistant is not signed in to ${host}.`,
    "Go back to your assistant: it can say why, and try again. You can close this window.",
  ]);
}

/** For whatever does not belong to the sign-in under way. */
export function unknownPage(): Page {
  return page(400, "This link does not belong here", [
    "It is not part of the sign-in that is under way. Nothing was changed.",
    "Go back to the window in which you are signing in, or start again from your assistant.",
  ]);
}

function page(status: number, title: string, paragraphs: readonly string[]): Page {
  const text = paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`).join("\n");
  return {
    status,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - fettle-bridge</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${text}
</main>
</body>
</html>
`,
  };
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
