import { describe, expect, test } from "vitest";
import { composeNotice } from "../../server/src/mail/notice-mail.js";
import { secondFactorChanges as changes, unwrap } from "../support/emails.js";

describe("second-factor emails", () => {
  test("MFA-34 explain the change and the next step, and escape a hostile passkey name", () => {
    const security = "https://fettle.example.com/settings/security";
    const name = "<img src=x>";
    const mails = changes.map((change) =>
      composeNotice({ kind: "second_factor_changed", change, name, security }),
    );

    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(changes.length);
    for (const { text, html } of mails) {
      expect(text).toContain(security);
      expect(unwrap(text)).toMatch(
        /change your password now|Remove it and add a new one|administrator/,
      );
      expect(html).not.toContain("<img");
    }
    expect(mails[2]?.text).toContain(name);
  });

  test("MFA-37 after guessed codes, warn about a known password and give the next step", () => {
    const security = "https://fettle.example.com/settings/security";
    const { text } = composeNotice({ kind: "second_factor_guessed", security });

    expect(unwrap(text)).toContain(
      "If not, change your password now and tell your organization's admin",
    );
    expect(text).toContain(security);
  });
});

function composeAnswer(answer: string) {
  return composeNotice({
    ...{ kind: "report_closed", asset: "Pump", organization: "Northgate", outcome: "answered" },
    ...{ answer, link: "https://fettle.example/r/1" },
  });
}

test("typed text follows its own writing direction", () => {
  const { text, html } = composeAnswer("תודה, תוקן.");

  expect(text).toContain("\n\n> תודה, תוקן.\n\n");
  expect(html).toMatch(/<blockquote dir="auto"[^>]*>תודה, תוקן\.<\/blockquote>/);
});

test("an answer contains no link and is marked as a quote", () => {
  const { text, html } = composeAnswer("Choose a new password:\nhttps://evil.example/reset");

  expect(text).toContain("\n\n> Choose a new password:\n> […]\n\n");
  expect(text + html).not.toContain("evil");
});
