import { beforeAll, describe, expect, test } from "vitest";
import { createSetupLink } from "../../../server/src/domain/accounts/setup-links.js";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import {
  aGermanOrganization,
  typedWords,
  type GermanOrganization,
} from "../../support/german-organization.js";
import { useIdentityProvider } from "../../support/identity-provider.js";
import { aMember } from "../../support/builders.js";
import { crawl, isPage, kindOf, type Answer } from "../../support/crawl.js";
import { noticesTo } from "../../support/mails.js";
import { aChallenge, aClient, authorizeUrl, signIn } from "../../support/oauth.js";
import { formsOf, sendForm } from "../../support/page-forms.js";
import {
  addDomain,
  networkWithTexts,
  providerRedirectUri,
  saveProvider,
} from "../../support/organization-provider.js";
import { security, setUpAuthenticator } from "../../support/second-factors.js";
import { findUntranslated, useMarkedGerman } from "../../support/untranslated.js";

const german = { "accept-language": "de-AT,de;q=0.9,en;q=0.8" };

/** Addresses that end the session or create much data. */
const leftOut = /^\/(?:signout|organizations|sample|setup)/;

/** Collects English text of pages, with the page where each was found first. */
function collectEnglish() {
  const known = new Set<string>();
  const english: Record<string, string[]> = {};
  const note = (name: string, answer: Answer) => {
    if (!isPage(answer)) return;
    const isGerman = answer.body.includes('<html lang="de"');
    const found = findUntranslated(answer.body, typedWords)
      .map(({ where, text }) => `${where}: ${text}`)
      .concat(isGerman ? [] : [`${name} is not in German`])
      .filter((text) => !known.has(text));
    if (found.length > 0) english[name] = [...new Set(found)];
    for (const text of found) known.add(text);
  };
  return { english, note };
}

function startsOf({ addresses, asset, retired, task, member }: GermanOrganization): string[] {
  const of = (id: string) => (form: string) => `/assets/${id}/${form}`;
  return [
    "/",
    ...addresses,
    ...["delete", "retire", "restore", "readings", "merge", "files"].map(of(asset.id)),
    ...["restore", "delete", "history"].map(of(retired)),
    ...["/assets?state=deleted", "/assets?q=nirgends", `/assets/change?ids=${asset.id}`],
    ...["/tasks?state=completed", "/tasks?q=nirgends", `/tasks/change?ids=${task}`],
    ...["/search?q=Pumpe", "/search?q=nirgends", "/sample/delete", "/settings/activity?group=apps"],
    ...[`/tasks/${task}`, `/tasks/${task}/complete`, `/settings/members/${member.userId}`],
    ...[`/settings/members/${member.userId}/release`, `${security}/recovery-codes`],
  ];
}

/** Files contain stored data. */
const options = { headers: german, without: /^\/(?:static|labels\/:id|.*\.(?:csv|xlsx)$)/ };

test("finds English text, including inside a translated sentence", () => {
  const body = `<html lang="de"><p title="Save">⟦Es ist ⟨Save it⟩.⟧ <b>⟦Der ⟧Hof</b></p></html>`;
  expect(findUntranslated(body, ["Hof"])).toEqual([
    { where: "p[title]", text: "Save" },
    { where: "p", text: "Save it" },
  ]);
});

describe("all pages in German", () => {
  const mail = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "werk@nord.example" };
  const current = useApp({ ...mail, signup: "open" }, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider(providerRedirectUri);
  useMarkedGerman();
  let organization: GermanOrganization;
  let pages: Map<string, Answer>;

  beforeAll(async () => {
    organization = await aGermanOrganization(current());
    const { browser, owner } = organization;
    await saveProvider(browser, owner, provider());
    await addDomain(browser, owner, "nord.example");
    pages = await crawl(browser, startsOf(organization), options);
  });

  test("contain no English sentence on any link an owner follows", () => {
    const { english, note } = collectEnglish();
    for (const [address, page] of pages) note(address, page);
    expect(english).toEqual({});
    expect(pages.size).toBeGreaterThan(130);
  });

  test("contain no English for members, including refusals", async () => {
    const { member, owner, asset } = organization;
    const { app, db } = current();
    const { english, note } = collectEnglish();
    const starts = ["/", `/assets/${asset.id}`, ...pages.keys()];
    const { organization: name } = owner;
    const viewer = { organization: name, workspace: "Halle", name: "Ilja Orlik" } as const;
    const other = await aMember(db, { ...viewer, role: "member", workspaceRole: "viewer" });
    await db.query("UPDATE users SET locale = 'de-DE'");
    for (const reader of [other, member]) {
      const seen = await crawl(await signIn(app, reader), starts, { ...options, each: 2 });
      for (const [address, page] of seen) note(address, page);
    }
    const browser = await signIn(app, member);
    for (const address of [
      "/nirgends",
      "/settings/apps/%00/disconnect",
      "/settings/members?q=%00",
    ]) {
      note(address, await browser.get(address));
    }
    const large = await browser.post("/signout", { filler: "x".repeat(70_000) });
    note("large", large);
    note("no form", await browser.post("/signout", {}, { "content-type": "application/json" }));
    note("expired", await browser.post("/settings", { name: "Petr" }));
    expect(english).toEqual({});
  });

  test("contain no English before sign-in", async () => {
    const { app, db } = current();
    const { owner, addresses } = organization;
    const { english, note } = collectEnglish();
    const browser = createBrowser(app);
    const client = await aClient(app, { client_name: "Zuse" });
    const token = (await createSetupLink(db)) ?? "";
    const starts = [
      ...["/signin", "/signin/passkey", "/signin/provider", "/signup", "/signup/sent"],
      ...["/password/forgot", "/password/sent", `/setup?token=${token}`, "/setup", "/nirgends"],
      ...["/invites/nirgends", "/signup/confirm/nirgends", "/password/reset/nirgends", "/connect"],
      ...[authorizeUrl(client, aChallenge()), "/oauth/authorize", "/q/nirgends", ...addresses],
      authorizeUrl(client, aChallenge(), { scope: "nirgends" }),
      authorizeUrl({ ...client, redirectUri: "https://nabu.example/" }, aChallenge()),
    ];
    const seen = await crawl(browser, starts, options);
    for (const [address, page] of seen) note(address, page);
    await sendForms(browser, seen, ["", "?"], note);
    const forgot = await browser.get("/password/forgot", german);
    await browser.submitForm(forgot, { email: owner.email }, { headers: german });
    for (const notice of await noticesTo(current(), owner.email)) {
      if ("link" in notice) {
        const page = await browser.get(new URL(notice.link).pathname, german);
        note(notice.kind, page);
        note(
          `${notice.kind} refused`,
          await browser.submitForm(page, { password: "x" }, { headers: german }),
        );
      }
    }
    expect(english).toEqual({});
  });

  test("contain no English in rejected forms", async () => {
    const { english, note } = collectEnglish();
    await sendForms(organization.browser, pages, ["", "?"], note);
    expect(english).toEqual({});
  });

  test("contain no English after a change", async () => {
    const { english, note } = collectEnglish();
    const { browser, owner } = organization;
    await sendForms(browser, pages, [undefined], note);
    await setUpAuthenticator(browser, owner);
    for (const [address, page] of await crawl(browser, startsOf(organization), options))
      note(address, page);
    expect(english).toEqual({});
  });
});

/** Submits each form of the pages once per value. Undefined keeps the filled-in values. */
async function sendForms(
  browser: TestBrowser,
  pages: ReadonlyMap<string, Answer>,
  values: readonly (string | undefined)[],
  note: (name: string, answer: Answer) => void,
): Promise<void> {
  const sent = new Set<string>();
  for (const page of pages.values()) {
    for (const form of formsOf(page)) {
      const kind = `${kindOf(form.action)} ${form.fields["decision"] ?? ""}${form.fields["state"] ?? ""}`;
      if (leftOut.test(kind) || sent.has(kind)) continue;
      sent.add(kind);
      for (const value of values) {
        if (value !== undefined && form.seen.length === 0) continue;
        const answer = await sendForm(browser, form, value, german);
        note(`${kind} sent with ${String(value)}`, answer);
        const { location } = answer.headers;
        if (typeof location === "string" && location.startsWith("/")) {
          note(`after ${kind}`, await browser.get(location, german));
        }
      }
    }
  }
}
