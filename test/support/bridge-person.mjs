#!/usr/bin/env node
// A test's person and browser, as the command in BROWSER. Records the window, signs in, answers the
// consent page and follows the redirect to the bridge. Configured by PERSON_…: EMAIL, PASSWORD,
// SCOPES, DECISION (allow, deny, or none: only opens the page), WINDOWS (a file that gets a line
// per window).
import { appendFileSync } from "node:fs";

const {
  PERSON_EMAIL = "",
  PERSON_PASSWORD = "",
  PERSON_SCOPES = "mcp_read mcp_write",
  PERSON_DECISION = "allow",
  PERSON_WINDOWS = "",
} = process.env;
const address = process.argv[2] ?? "";
const cookies = new Map();

async function open(url, form) {
  const { origin } = new URL(url);
  const answer = await fetch(url, {
    redirect: "manual",
    headers: {
      accept: "text/html",
      cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
      ...(form && { origin, "sec-fetch-site": "same-origin" }),
    },
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
  });
  for (const cookie of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
  const location = answer.headers.get("location");
  if (location !== null) return open(new URL(location, url).href);
  return { url, status: answer.status, html: await answer.text() };
}

function formOf({ url, html }, action) {
  const [, attributes = "", body = ""] =
    [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].find(([, found]) =>
      found.includes(`action="${action}`),
    ) ?? [];
  const inputs = [...body.matchAll(/<input\b[^>]*>/g)].map(([input]) => input);
  const hidden = inputs.filter((input) => attributeOf(input, "type") === "hidden");
  return {
    action: new URL(attributeOf(attributes, "action") ?? url, url).href,
    fields: hidden.map((input) => [attributeOf(input, "name"), attributeOf(input, "value") ?? ""]),
  };
}

function attributeOf(tag, name) {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
}

if (PERSON_WINDOWS !== "") appendFileSync(PERSON_WINDOWS, "window\n");
let page = await open(address);
if (PERSON_DECISION !== "none") {
  if (page.html.includes('action="/signin')) {
    const { action, fields } = formOf(page, "/signin");
    page = await open(action, [...fields, ["email", PERSON_EMAIL], ["password", PERSON_PASSWORD]]);
  }
  const { action, fields } = formOf(page, "/oauth/consent/");
  const scopes = PERSON_SCOPES.split(" ").map((scope) => ["scope", scope]);
  page = await open(action, [...fields, ...scopes, ["decision", PERSON_DECISION]]);
}
process.exitCode = page.status < 400 ? 0 : 1;
