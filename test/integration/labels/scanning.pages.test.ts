import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { anAsset } from "../../support/asset-pages.js";
import type { Member } from "../../support/builders.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";
import { aBuilding, type Building } from "../../support/rounds.js";

describe("/scan", () => {
  const current = useApp();
  let building: Building;
  beforeAll(async () => {
    building = await aBuilding(current());
  });

  async function scan(by: Member, code: string) {
    const browser = await signIn(current().app, by);
    const answer = await browser.get(`/scan?${new URLSearchParams({ code }).toString()}`);
    const { statusCode, body, headers } = answer;
    return { statusCode, body, location: headers.location };
  }

  test("a label, code, inventory number, or serial opens the asset in any letter case", async () => {
    const { team, pump } = building;
    const to = `/assets/${pump.id}?scanned=1`;
    for (const code of [
      `https://fettle.example/q/${pump.code}`,
      `HTTP://LOCALHOST:3000/Q/${pump.code.toUpperCase()}`,
      `/q/${pump.code}/`,
      ` ${pump.code.toUpperCase()} `,
      pump.number,
      "SN-Pump-7",
    ]) {
      expect((await scan(team.viewer, code)).location, code).toBe(to);
    }
  });

  test("offers a choice with locations when several assets share a number", async () => {
    const { team } = building;
    for (const location of ["Cellar", "Attic"]) {
      await anAsset(current(), team, {
        name: `Meter in the ${location}`,
        location,
        serial_number: "M-1",
      });
    }

    const found = await scan(team.member, "m-1");

    expect(found.statusCode).toBe(200);
    expect(found.body).toContain("2 assets have");
    expect(found.body).toMatch(/Meter in the Attic.*Attic.*Meter in the Cellar.*Cellar/s);
  });

  test("answers hidden records like missing ones", async () => {
    const { team, hidden, lamp } = building;
    const stranger = await aBuilding(current());
    const plain = ({ statusCode, body }: Awaited<ReturnType<typeof scan>>, code: string) => [
      statusCode,
      body
        .replaceAll(code, "")
        .replaceAll(encodeURIComponent(code), "")
        .replace(/name="_(csrf|person)"[^>]*/g, ""),
    ];
    const nothing = plain(await scan(team.member, "ZZ-404"), "ZZ-404");

    expect(nothing[0]).toBe(404);
    expect(nothing[1]).toContain("No results");
    for (const code of [hidden.number, hidden.code, lamp.code, stranger.pump.code]) {
      expect(plain(await scan(team.member, code), code), code).toEqual(nothing);
    }
    expect((await scan(team.owner, hidden.number)).location).toBe(`/assets/${hidden.id}?scanned=1`);
  });

  test("a label from another of the person's organizations opens there", async () => {
    // Separate buildings: people in two organizations first see the first one by name.
    const [own, other] = [await aBuilding(current()), await aBuilding(current())];
    const { email } = own.team.member;
    const there = await aMember(current().db, {
      ...{ email, organization: other.team.owner.organization, role: "admin" },
    });

    const found = await scan({ ...own.team.member, userId: there.userId }, other.pump.code);

    expect(found.location).toBe(`/assets/${other.pump.id}?scanned=1`);
  });

  test("offers an unknown number as a new asset by role, and escapes markup", async () => {
    const { team } = building;
    const code = `"><script>alert(1)</script>`;
    const ways = async (by: Member, text = "NEW 7") => {
      const { body } = await scan(by, text);
      return ["this number", "this serial number"].map((words) =>
        body.includes(`Create an asset with ${words}`),
      );
    };

    expect(await ways(team.lead)).toEqual([true, true]);
    expect(await ways(team.member)).toEqual([false, true]);
    expect(await ways(team.viewer)).toEqual([false, false]);
    expect(await ways(team.lead, "https://fettle.example/q/zzzzzzzzzzzz")).toEqual([false, false]);
    expect((await scan(team.lead, code)).body).not.toContain("<script>alert");
    const browser = await signIn(current().app, team.lead);
    const form = await browser.get(`/assets/new?number=NEW+7&workspace=${team.workspaceId}`);
    expect(form.body).toContain('value="NEW 7"');
  });

  test("PKY-12 only scanning pages may request the camera, and run only our scripts", async () => {
    const browser = await signIn(current().app, building.team.member);
    const headersOf = async (url: string) => {
      const { headers } = await browser.get(url);
      return [headers["permissions-policy"], headers["content-security-policy"]].map(String);
    };

    for (const url of ["/scan", "/rounds", "/rounds/new"]) {
      const [permissions, policy] = await headersOf(url);
      expect(permissions, url).toBe("camera=(self)");
      expect(policy?.split(";"), url).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "connect-src 'self'",
          "worker-src 'self'",
        ]),
      );
    }
    expect((await headersOf("/assets"))[0]).toBe("camera=()");
    for (const url of ["/settings", "/nothing-here"]) {
      const [permissions, policy] = await headersOf(url);
      expect([permissions, policy?.includes("script-src 'none'")], url).toEqual([
        "camera=()",
        true,
      ]);
    }
  });

  test("appears in the navigation and beside assets and workspaces", async () => {
    const browser = await signIn(current().app, building.team.member);

    expect((await browser.get("/")).body).toContain('<a href="/scan">Scan</a>');
    expect((await browser.get("/assets")).body).toMatch(/class="button quiet" href="\/scan"/);
    expect((await browser.get("/workspaces")).body).toContain(
      `/rounds/new?workspace=${building.team.workspaceId}`,
    );
  });
});
