import { describe, expect, test } from "vitest";
import { useApp } from "../support/app.js";
import { toCookieHeader } from "../support/browser.js";
import { aMember } from "../support/builders.js";
import { signIn } from "../support/oauth.js";

describe("forms that no page of ours sent", () => {
  const current = useApp();

  /** Of every page with a form that creates or changes something in the settings. */
  async function addressesOf(organization: string) {
    const { db } = current();
    const person = await aMember(db, { organization, role: "member", workspace: "Lab" });
    const members = `/settings/members/${person.userId}`;
    const workspace = `/settings/workspaces/${person.workspaceId ?? ""}`;
    return [
      "/settings",
      "/settings/organization",
      "/settings/password",
      "/settings/members/invite",
      "/settings/workspaces/new",
      workspace,
      `${workspace}/delete`,
      `${members}/add`,
      `${members}/workspaces/${person.workspaceId ?? ""}`,
      `${members}/role`,
      `${members}/remove`,
      "/assets/new",
      "/tasks/new",
    ];
  }

  const long = "k".repeat(10_000);
  const bodies: [string, string][] = [
    ["an enormous key", `request_key=${long}`],
    ["a key with a zero byte", "request_key=a%00b"],
    [
      "every field twice",
      "request_key=a&request_key=b&name=a&name=b&email=a&email=b&role=a&role=b&expected_version=1&expected_version=2&_organization=a&_organization=b",
    ],
    [
      "names of what every object has",
      "__proto__=x&constructor=x&toString=x&hasOwnProperty=x&__proto__[role]=owner",
    ],
    ["enormous texts", `name=${long}&email=${long}&title=${long}&organization_role=${long}`],
    ["zero bytes", "name=a%00b&email=a%00@example.com&title=a%00b&workspace_id=%00&asset_id=%00"],
  ];

  test.each(bodies)("%s is refused or ignored, never a failure of ours", async (_what, body) => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const csrf = /name="_csrf" value="([^"]*)"/.exec((await browser.get("/settings")).body)?.[1];

    for (const address of await addressesOf(owner.organization)) {
      const answer = await app.inject({
        method: "POST",
        url: address,
        headers: {
          cookie: toCookieHeader(browser.cookies),
          accept: "text/html",
          "content-type": "application/x-www-form-urlencoded",
        },
        payload: `_csrf=${encodeURIComponent(csrf ?? "")}&${body}`,
      });
      expect([303, 400, 403, 404], `${address}: ${answer.body.slice(0, 300)}`).toContain(
        answer.statusCode,
      );
      expect(answer.body).not.toContain("This form has expired");
    }
  });
});
