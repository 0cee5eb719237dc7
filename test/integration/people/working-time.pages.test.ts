import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

const testApp = useApp();
let owner: Member;
let member: Member;
let colleague: Member;

beforeAll(async () => {
  const { db } = testApp();
  owner = await aMember(db, { role: "owner", name: "Olga Owner", workspace: "Depot" });
  const join = (name: string) =>
    aMember(db, { organization: owner.organization, role: "member", workspace: "Depot", name });
  member = await join("Mara Member");
  colleague = await join("Cole League");
});

const pageOf = ({ userId }: Member) => `/settings/members/${userId}`;
const toText = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function send(by: Member, address: string, fields: Record<string, string>) {
  const browser = await signIn(testApp().app, by);
  const answer = await browser.submitForm(await browser.get(address), fields);
  return { answer, browser };
}

describe("working time", () => {
  test("follows the organization until an admin sets a person's own", async () => {
    const days = { day_1: "yes", day_2: "yes", day_4: "yes" };
    const usual = await send(owner, "/settings/organization/working-time", {
      ...{ weekly_hours: "36.5", ...days, day_3: "yes" },
    });
    expect(usual.answer.statusCode).toBe(303);
    expect(toText((await usual.browser.get(pageOf(member))).body)).toContain(
      "Usual 36 h 30 min a week, Mon–Thu",
    );

    await send(owner, `${pageOf(member)}/working-time`, { weekly_hours: "20", ...days });
    const seen = await (await signIn(testApp().app, member)).get(pageOf(member));
    expect(toText(seen.body)).toContain("Own 20 h a week, Mon, Tue and Thu");
    expect(seen.body).not.toContain("/working-time");

    const { browser } = await send(owner, `${pageOf(member)}/working-time`, { weekly_hours: "" });
    expect(toText((await browser.get(pageOf(member))).body)).toContain("Usual 36 h 30 min");
    const log = toText((await browser.get("/settings/activity")).body);
    expect(log).toContain("set the working time of Mara Member to 20 h a week");
    expect(log).toContain("set the working time of Mara Member to the usual");
  });

  test("needs a possible number of hours, at least one day, and an admin", async () => {
    const address = `${pageOf(member)}/working-time`;
    for (const [fields, sentence] of [
      [{ weekly_hours: "169", day_1: "yes" }, "must be at most 168"],
      [{ weekly_hours: "8" }, "“Working days” is missing."],
      [{ weekly_hours: "-1", day_1: "yes" }, "must not be negative"],
    ] as const) {
      const { answer } = await send(owner, address, fields);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain(sentence);
    }
    const browser = await signIn(testApp().app, member);
    expect((await browser.get(address)).statusCode).toBe(403);
    expect((await browser.get("/settings/organization/working-time")).statusCode).toBe(403);
  });
});

describe("absences", () => {
  const add = (by: Member, of: Member, fields: Record<string, string>) =>
    send(by, `${pageOf(of)}/absences`, fields);

  test("are added by the person or an admin, who alone see the note", async () => {
    const days = { first_day: "2027-03-01", last_day: "2027-03-05" };
    expect((await add(member, member, { ...days, note: "Spa" })).answer.statusCode).toBe(303);
    expect((await add(owner, member, { first_day: "2027-04-01" })).answer.statusCode).toBe(303);
    expect((await add(colleague, member, { first_day: "2027-05-01" })).answer.statusCode).toBe(403);

    for (const [person, sees] of [
      [member, true],
      [owner, true],
      [colleague, false],
    ] as const) {
      const page = await (await signIn(testApp().app, person)).get(pageOf(member));
      expect(toText(page.body)).toMatch(/1 Apr 2027 .*1 Mar 2027 to 5 Mar 2027/);
      expect(page.body.includes("Spa")).toBe(sees);
      expect(page.body.includes("Add absence")).toBe(sees);
    }
  });

  test("don't overlap or end before they begin", async () => {
    await add(colleague, colleague, { first_day: "2027-03-01", last_day: "2027-03-05" });
    for (const [fields, sentence] of [
      [{ first_day: "2027-03-05", last_day: "2027-03-09" }, "This overlaps the absence from 1 Mar"],
      [{ first_day: "2027-03-09", last_day: "2027-03-08" }, "is before"],
      [{ last_day: "2027-03-08" }, "Enter the first day."],
    ] as const) {
      const { answer } = await add(colleague, colleague, fields);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain(sentence);
    }
  });

  test("are removed once, by the person or an admin", async () => {
    await add(member, member, { first_day: "2027-07-01" });
    const browser = await signIn(testApp().app, member);
    const page = await browser.get(pageOf(member));
    const action = `${pageOf(member)}/absences/remove`;
    for (const sentence of ["Absence removed: 1 Jul 2027.", "Nothing was changed."]) {
      const answer = await browser.submitForm(page, { first_day: "2027-07-01" }, { action });
      expect(answer.headers.location).toBe(pageOf(member));
      expect((await browser.get(pageOf(member))).body).toContain(sentence);
    }
    const other = await signIn(testApp().app, colleague);
    const form = await other.get(pageOf(colleague));
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(form.body)?.[1] ?? "";
    const refused = await other.post(action, { _csrf, first_day: "2027-03-01" });
    expect(refused.statusCode).toBe(403);
    expect((await browser.get(pageOf(member))).body).toContain("1 Mar 2027");
  });
});
