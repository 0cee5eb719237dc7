import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LabelAsset } from "../../../server/src/domain/labels/label-assets.js";
import {
  createLabelLinkSigner,
  type LabelLink,
} from "../../../server/src/domain/labels/label-links.js";
import {
  createSheetThread,
  type SheetThread,
} from "../../../server/src/domain/labels/sheet-thread.js";
import type { SheetOrder } from "../../../server/src/domain/labels/sheet-worker.js";
import { isRefusal } from "../../../server/src/errors.js";
import { useApp, type TestApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";

/**
 * Three people's links to sheets and one link to an image, in an organization with one asset. It
 * may be a sample.
 */
async function someLinks(testApp: TestApp, madeFrom: string | null = null) {
  const owner = await connect(testApp);
  await testApp.db.query("UPDATE organizations SET sample_from = $1 WHERE id = $2", [
    madeFrom,
    owner.member.organizationId,
  ]);
  const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
  const keeper = createLabelLinkSigner(testApp.config.secretKeys);
  const { organizationId, organization, userId } = owner.member;
  const colleagues = [1, 2].map(() => aMember(testApp.db, { organization, role: "member" }));
  const people = [userId, ...(await Promise.all(colleagues)).map((one) => one.userId)];
  const write = (drawing: LabelLink["drawing"], madeBy = userId) =>
    keeper.write({
      organizationId,
      madeBy,
      of: "asset",
      ids: [asset.id],
      expiresAt: new Date(Date.now() + 3_600_000),
      drawing,
    });
  const sheet = (skip: number, madeBy = userId) =>
    write({ format: "pdf_sheet", template: "avery_l7160", skip, fields: ["name"] }, madeBy);
  const sheets = Array.from({ length: 6 }, (_, skip) => sheet(skip, people[skip % 3]));
  return { organizationId, sheets, sheet: sheet(0), image: write({ format: "png" }) };
}

const open = ({ app }: TestApp, token: string, address: string, method: "GET" | "HEAD" = "GET") =>
  app.inject({ method, url: `/labels/${token}`, remoteAddress: address });

describe("label sheet limits", () => {
  const limited = useApp({ rateLimit: true });

  test("LIM-20 limits sheets, not images, to twenty a minute per address and organization", async () => {
    const { sheets, sheet, image } = await someLinks(limited());
    const others = await someLinks(limited());
    const statusOf = async (token: string, address: string, method?: "HEAD") =>
      (await open(limited(), token, address, method)).statusCode;
    for (let n = 0; n < 20; n += 1) {
      expect(await statusOf(sheets[n % 6] ?? "", "203.0.113.1")).toBe(200);
    }

    const refused = await open(limited(), others.sheet, "203.0.113.1");

    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(await statusOf(sheets[2] ?? "", "203.0.113.2")).toBe(429);
    expect(await statusOf(others.sheet, "203.0.113.2")).toBe(200);
    expect(await statusOf(image, "203.0.113.1")).toBe(200);
    expect(await statusOf(sheet, "203.0.113.1", "HEAD")).toBe(200);
  });

  test("LIM-74 counts sample sheets together with the organization they were made from", async () => {
    const home = await someLinks(limited());
    const sample = await someLinks(limited(), home.organizationId);
    for (let n = 0; n < 20; n += 1) {
      const { sheets } = [home, sample][n % 2] ?? home;
      await open(limited(), sheets[n % 6] ?? "", `203.0.116.${n}`);
    }

    expect((await open(limited(), sample.sheet, "203.0.116.99")).statusCode).toBe(429);
  });

  test("LIM-22 one link to a sheet can't block the organization's other links", async () => {
    const { sheets } = await someLinks(limited());
    const [sheet = "", other = ""] = sheets;
    for (let n = 0; n < 30; n += 1) await open(limited(), sheet, `203.0.114.${n}`);

    expect((await open(limited(), sheet, "203.0.113.9")).statusCode).toBe(429);
    expect((await open(limited(), other, "203.0.113.9")).statusCode).toBe(200);
  });
});

describe("sheets of one person", () => {
  const limited = useApp({ rateLimit: true });

  test("LIM-26 many links of one person don't block links of others", async () => {
    const { sheets } = await someLinks(limited());
    const [one = "", ofAnother = "", , another = ""] = sheets;
    for (let n = 0; n < 30; n += 1) {
      await open(limited(), [one, another][n % 2] ?? "", `203.0.115.${n}`);
    }

    expect((await open(limited(), another, "203.0.113.9")).statusCode).toBe(429);
    expect((await open(limited(), ofAnother, "203.0.113.9")).statusCode).toBe(200);
  });
});

describe("sheet drawing thread", () => {
  const asset: LabelAsset = {
    id: "ast_0000000000001",
    inventory_number: "INV-1",
    name: "Pump",
    state: "in_use",
    qr_token: "1",
    location: null,
    serial_number: null,
    workspace: null,
    organization: "Northgate",
  };
  const order: SheetOrder = {
    baseUrl: "https://fettle.example",
    organization: asset.organization,
    assets: [asset],
    drawing: { format: "pdf_sheet", template: "avery_l7160", skip: 0, fields: ["name"] },
  };
  const broken: SheetOrder = { ...order, drawing: { ...order.drawing, skip: Number.NaN } };
  const outcomeOf = (drawing: Promise<Uint8Array>) =>
    drawing.then(
      () => "drawn",
      (error: unknown) => (isRefusal(error, "sheet_not_drawn") ? "refused" : "failed"),
    );
  const draw = (each: SheetOrder, organization = "org_a") => thread.draw(organization, each);
  const outcomesOf = (orders: readonly SheetOrder[]) =>
    Promise.all(orders.map((each) => outcomeOf(draw(each))));
  let thread: SheetThread;

  beforeEach(() => {
    thread = createSheetThread();
  });
  afterEach(() => thread.close());

  test("LIM-20 starts with the first sheet and draws one at a time", async () => {
    let started = 0;
    const count = () => (started += 1);
    process.on("worker", count);

    const outcomes = await outcomesOf(Array.from({ length: 22 }, () => order));

    process.off("worker", count);
    expect(outcomes).toEqual(Array<string>(22).fill("drawn"));
    expect(started).toBe(1);
  });

  test("LIM-45 many sheets of one organization don't block others", async () => {
    const drawn: string[] = [];
    const drawFor = (organization: string) =>
      draw(order, organization).then(() => drawn.push(organization));

    await Promise.all([...Array<string>(24).fill("org_a"), "org_b", "org_b", "org_c"].map(drawFor));

    expect(drawn.slice(0, 5).toSorted()).toEqual(["org_a", "org_a", "org_b", "org_b", "org_c"]);
    expect(drawn).toHaveLength(27);
  });

  test("LIM-74 queues sample sheets with the organization they were made from", async () => {
    const own = createSheetThread(async (id) => (id === "org_other" ? id : "org_home"));
    const drawn: string[] = [];
    const drawFor = (id: string) => own.draw(id, order).then(() => drawn.push(id));

    await Promise.all(["org_home", "org_sample_1", "org_sample_2", "org_other"].map(drawFor));

    await own.close();
    expect(drawn).toEqual(["org_home", "org_other", "org_sample_1", "org_sample_2"]);
  });

  test("a sheet that can't be drawn doesn't block others", async () => {
    expect(await outcomesOf([order, broken, order])).toEqual(["drawn", "failed", "drawn"]);
  });

  test("rejects the current sheet when the thread ends, and draws the next", async () => {
    process.once("worker", (worker) => void worker.terminate());
    expect(await outcomesOf([order, order])).toEqual(["refused", "drawn"]);
  });

  test("rejects waiting sheets when closed", async () => {
    const last = outcomesOf([order, order]);
    await pause(20);
    await thread.close();
    expect(await last).toEqual(["refused", "refused"]);
  });
});

describe("label links", () => {
  const testApp = useApp();

  test("draws a sheet on every request without limits", async () => {
    const { sheet } = await someLinks(testApp());

    for (let n = 0; n < 22; n += 1) {
      expect((await open(testApp(), sheet, "203.0.113.1")).statusCode).toBe(200);
    }
  });

  test("HEAD returns the headers of GET and draws nothing", async () => {
    const links = await someLinks(testApp());
    for (const token of [links.sheet, links.image]) {
      const full = await open(testApp(), token, "203.0.113.1");
      const head = await open(testApp(), token, "203.0.113.1", "HEAD");

      expect(head.statusCode).toBe(200);
      expect(head.rawPayload).toHaveLength(0);
      expect(head.headers).not.toHaveProperty("content-length");
      for (const name of ["content-type", "content-disposition", "content-security-policy"]) {
        expect(head.headers[name]).toBe(full.headers[name]);
      }
    }
    expect((await open(testApp(), "x", "203.0.113.1", "HEAD")).statusCode).toBe(404);
  });

  test.each([1281, 8000])(
    "treats a token of %i characters like any unknown token",
    async (length) => {
      const answer = await open(testApp(), "x".repeat(length), "203.0.113.1");
      const other = await open(testApp(), "y", "203.0.113.1");

      expect(answer.statusCode).toBe(404);
      expect(answer.body).toBe(other.body);
    },
  );
});
