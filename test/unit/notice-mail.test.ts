import { describe, expect, test } from "vitest";
import { composeNotice } from "../../server/src/mail/notice-mail.js";
import { secondFactorChanges as changes, unwrap } from "../support/emails.js";

describe("mails about second factors", () => {
  test("MFA-34 say what happened and what to do, and a hostile name of a passkey is text", () => {
    const security = "https://fettle.example.com/settings/security";
    const name = "<img src=x>";
    const mails = changes.map((change) =>
      composeNotice({ kind: "second_factor_changed", change, name, security }),
    );

    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(changes.length);
    for (const { text, html } of mails) {
      expect(text).toContain(security);
      expect(unwrap(text)).toContain("change your password now");
      expect(html).not.toContain("<img");
    }
    expect(mails[2]?.text).toContain(name);
  });

  test("MFA-37 of guessed codes says what somebody knows, and what to do", () => {
    const security = "https://fettle.example.com/settings/security";
    const { text } = composeNotice({ kind: "second_factor_guessed", security });

    expect(unwrap(text)).toContain("someone knows your password: change it now");
    expect(text).toContain(security);
  });
});

function composeAnswer(answer: string) {
  return composeNotice({
    ...{ kind: "report_closed", asset: "Pump", organization: "Northgate", outcome: "answered" },
    ...{ answer, link: "https://fettle.example/r/1" },
  });
}

test("what a person wrote goes in the direction of its own letters", () => {
  const { text, html } = composeAnswer("תודה, תוקן.");

  expect(text).toContain("\n\n> תודה, תוקן.\n\n");
  expect(html).toMatch(/<blockquote dir="auto"[^>]*>תודה, תוקן\.<\/blockquote>/);
});

test("an answer leads nowhere and cannot be taken for our words", () => {
  const { text, html } = composeAnswer("Choose a new password:\nhttps://evil.example/reset");

  expect(text).toContain("\n\n> Choose a new password:\n> […]\n\n");
  expect(text + html).not.toContain("evil");
});
