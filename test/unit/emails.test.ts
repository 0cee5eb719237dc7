import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inLocale, type Locale } from "../../server/src/language/locale.js";
import { t } from "../../server/src/language/translate.js";
import { dark, light } from "../../server/src/mail/colors.js";
import type { MailContent } from "../../server/src/mail/email.js";
import { withColon } from "../../server/src/web/text/format.js";
import { everyEmail, unwrap } from "../support/emails.js";

const typed = {
  person: "Ana Keller",
  organization: "Northgate Facilities",
  thing: "Door drive 8",
  words: "It is in its night mode until 6:00, and opens with the key switch beside the door.",
};
const hostile = {
  person: "<b>Ana</b>",
  organization: "<script>alert(1)</script>",
  thing: 'Pump" onclick="x',
  words: "<img src=x>\n</td></table> https://evil.example",
};
const names = Object.keys(everyEmail(typed));
const cases = (["en-GB", "de-DE", "fr-FR", "es-ES"] as const).flatMap((locale) =>
  names.map((name): [Locale, string] => [locale, name]),
);

function write(locale: Locale, name: string, words = typed): MailContent {
  const compose = everyEmail(words)[name];
  if (compose === undefined) throw new Error(name);
  return inLocale(locale, compose);
}

const linksIn = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));

/** The visible text, without the preview and the style sheet. */
const visible = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, "")
    .replace(/<div style="display:none.*?<\/div>/s, "")
    .replace(/<\/?(strong|span|a)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

const withoutMarks = (text: string) => text.replace(/["„“]|« | »|[«»]/g, "");

describe.each(cases)("in %s, the email %j", (locale, name) => {
  const { subject, text, html, headers } = write(locale, name);

  test("begins with the news in HTML and plain text", () => {
    const headline = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? "";
    const [news = ""] = text.split("\n\n");

    expect(unwrap(headline.replace(/<[^>]*>/g, ""))).toBe(withoutMarks(unwrap(news)));
    expect(subject).not.toMatch(/["„“«»\n]/);
  });

  test("has the same content in HTML and plain text", () => {
    const shown = visible(html);
    const [body = ""] = text.split("\n-- \n");
    const lines = body
      .split("\n\n")
      .filter((part) => !/^ *https:/m.test(part) && !part.startsWith("- ") && !part.endsWith(":"));

    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(shown).toContain(withoutMarks(unwrap(line.replace(/^> /gm, ""))));
    }
    expect(new Set(linksIn(html))).toEqual(new Set(text.match(/https:\S+/g)));
  });

  test("has one button, whose link works in plain text", () => {
    const buttons = [...html.matchAll(/<a href="([^"]*)" class="button"/g)];

    expect(buttons).toHaveLength(1);
    expect(text.split("\n")).toContain(buttons[0]?.[1]);
  });

  test("has short lines, with each link on a separate line", () => {
    for (const line of text.split("\n")) {
      if (line.includes("https:")) expect(line).toMatch(/^ {0,2}https:\S+$/);
      else expect(line.length, line).toBeLessThanOrEqual(78);
    }
    expect(text).not.toMatch(/<\/?\w+[ >]|&\w+;|[ ]\n(?<!-- \n)|undefined|\n{3}/);
  });

  test("loads nothing and has colors for light and dark mode", () => {
    expect(html).not.toMatch(/<script|<img|<link|<iframe|src=|url\(|@import|@font-face/i);
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain("@media (prefers-color-scheme:dark)");
    for (const [tag] of html.matchAll(/<\w+ [^>]*class="[^>]*>/g)) {
      expect(tag).toMatch(/ style="[^"]*color:#/);
    }
  });

  test("has a preview that adds to the subject", () => {
    const preview = /<div style="display:none[^>]*>([^\u034f]+)\u034f/.exec(html)?.[1] ?? "";

    expect(preview.length).toBeGreaterThan(9);
    expect(preview).not.toBe(subject);
  });

  test("gives the reason for the email and a way to unsubscribe if possible", () => {
    const [, footer = ""] = text.split("\n-- \n");
    expect(footer).toMatch(
      /You get this email|Sie bekommen diese E-Mail|Vous recevez cet e-mail|Recibe este correo/,
    );
    expect(headers).toEqual(
      footer.includes("/unsubscribe/")
        ? {
            "List-Unsubscribe": "<https://fettle.example.com/unsubscribe/token>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }
        : undefined,
    );
    const ends = headers !== undefined;
    inLocale(locale, () => {
      expect(footer.includes(`${withColon(t("Unsubscribe"))}\nhttps:`)).toBe(ends);
      expect(html.includes(`>${t("Unsubscribe")}</a>`)).toBe(ends);
      expect(html.includes(`>${t("Email preferences")}</a>`)).toBe(ends);
    });
  });

  test("escapes typed text", () => {
    const written = write(locale, name, hostile);

    const tags = [...written.html.matchAll(/<(\w+)/g)].map(([, tag]) => tag);
    const known = [...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag);
    expect(new Set(tags)).toEqual(new Set([...known, ...(tags.includes("br") ? ["br"] : [])]));
    expect(written.html).not.toMatch(/ onclick="/);
    expect(written.subject).not.toContain("\n");
  });
});

test("subjects name the event", () => {
  expect(Object.fromEntries(names.map((name) => [name, write("en-GB", name).subject]))).toEqual({
    "invitation to a workspace": "Invitation to Northgate Facilities",
    "invitation to the organization": "Invitation to Northgate Facilities",
    "job for a contractor": "Job for you: Door drive 8",
    "job sent back": "Not finished yet: Door drive 8",
    "password reset": "Reset your Fettle password",
    "approval of a new email": "Approve your new email address for Fettle",
    "new email": "Confirm your new email address for Fettle",
    "sign-up": "Confirm your email address for Fettle",
    "account exists": "You already have a Fettle account",
    "connection ended": "App disconnected: Door drive 8",
    "only way ended": "Single sign-on is no longer required in Northgate Facilities",
    "wrong codes": "Wrong codes entered for your Fettle account",
    "closed report": "Update on your report: Door drive 8",
    "accepted report": "Update on your report: Door drive 8",
    "assigned task": expect.stringMatching(
      /^Assigned to you: T-1 It is in its night mode/,
    ) as string,
    "assigned tasks": "Assigned to you: 30 tasks",
    comment: "Ana Keller commented on Door drive 8",
    comments: "2 new comments",
    reminder: "3 tasks overdue, 2 due tomorrow",
    "reminder of tomorrow": "1 task due tomorrow",
    "reminder of overdue tasks": "1 task overdue",
    "answered report": "Update on your report: Door drive 8",
    "answered reports": "Updates on 2 of your reports",
    "work marked as done": expect.stringMatching(
      /^Ana Keller marked T-1 It is in its night mode.* as done$/,
    ) as string,
    "several marked as done": "Contractors marked 3 tasks as done",
    digest: "Weekly summary for Northgate Facilities: 12 tasks overdue, 5 due in the next 7 days",
    "digest without overdue tasks":
      "Weekly summary for Northgate Facilities: no tasks overdue, 5 due in the next 7 days",
    authenticator_added: "Authenticator app added to your Fettle account",
    authenticator_removed: "Authenticator app removed from your Fettle account",
    passkey_added: "Passkey added to your Fettle account",
    passkey_removed: "Passkey removed from your Fettle account",
    passkey_copied: "A passkey for your Fettle account may have been copied",
    recovery_codes_made: "New recovery codes for your Fettle account",
    recovery_code_used: "Recovery code used for your Fettle account",
    second_factors_reset: "Second factors removed from your Fettle account",
  });
});

test("only invitations and account links print their address in HTML", () => {
  const printed = names.filter((name) => visible(write("en-GB", name).html).includes("https:"));
  expect(printed).toEqual([
    "invitation to a workspace",
    "invitation to the organization",
    "password reset",
    "sign-up",
    "new email",
    "approval of a new email",
    "job for a contractor",
    "job sent back",
  ]);
});

test.each(["closed report", "assigned tasks", "answered reports"])(
  "removes links from typed text in the email %j",
  (name) => {
    const { text, html } = write("en-GB", name, hostile);
    expect(text + html).not.toContain("evil.example");
  },
);

test("emails use the colors of the pages", () => {
  const css = readFileSync("server/src/web/public/css/base.css", "utf8");
  const [ofLight = "", ofDark = ""] = [...css.matchAll(/:root \{\n(.*?--bad-quiet.*?)\}/gs)].map(
    ([, rules = ""]) => rules,
  );
  for (const [colors, rules] of [
    [light, ofLight],
    [dark, ofDark],
  ] as const) {
    for (const [name, color] of Object.entries(colors)) {
      const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(rules).toContain(`--${property}: ${color};`);
    }
  }
});
