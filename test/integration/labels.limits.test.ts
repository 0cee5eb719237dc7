import { describe, expect, test } from "vitest";
import {
  createLabelLinkSigner,
  type LabelLink,
} from "../../server/src/domain/labels/label-links.js";
import { drawSheet } from "../../server/src/domain/labels/sheet.js";
import { labelTemplates } from "../../server/src/domain/labels/templates.js";
import { useApp, type TestApp } from "../support/app.js";
import { connect } from "../support/mcp.js";

/** Links to sheets and one to an image, of an organization with one asset. */
async function someLinks(testApp: TestApp) {
  const owner = await connect(testApp);
  const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
  const keeper = createLabelLinkSigner(testApp.config.secretKeys);
  const write = (drawing: LabelLink["drawing"]) =>
    keeper.write({
      organizationId: owner.member.organizationId,
      assetIds: [asset.id],
      expiresAt: new Date(Date.now() + 3_600_000),
      drawing,
    });
  const sheet = (skip: number) =>
    write({ format: "pdf_sheet", template: "avery_l7160", skip, fields: ["name"] });
  const sheets = Array.from({ length: 5 }, (_, skip) => sheet(skip));
  return { sheets, sheet: sheet(0), image: write({ format: "png" }) };
}

const open = ({ app }: TestApp, token: string, address: string, method: "GET" | "HEAD" = "GET") =>
  app.inject({ method, url: `/labels/${token}`, remoteAddress: address });

describe("sheets of labels", () => {
  const limited = useApp({ rateLimit: true });

  test("LIM-20 twenty a minute are the most from one address and of one organization, images go on", async () => {
    const { sheets, sheet, image } = await someLinks(limited());
    const others = await someLinks(limited());
    const statusOf = async (token: string, address: string, method?: "HEAD") =>
      (await open(limited(), token, address, method)).statusCode;
    for (let n = 0; n < 20; n += 1) {
      expect(await statusOf(sheets[n % 4] ?? "", "203.0.113.1")).toBe(200);
    }

    const refused = await open(limited(), others.sheet, "203.0.113.1");

    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(await statusOf(sheets[4] ?? "", "203.0.113.2")).toBe(429);
    expect(await statusOf(others.sheet, "203.0.113.2")).toBe(200);
    expect(await statusOf(image, "203.0.113.1")).toBe(200);
    expect(await statusOf(sheet, "203.0.113.1", "HEAD")).toBe(200);
  });

  test("LIM-22 whoever has one link to a sheet does not keep the organization from its others", async () => {
    const { sheets } = await someLinks(limited());
    const [sheet = "", other = ""] = sheets;
    for (let n = 0; n < 30; n += 1) await open(limited(), sheet, `203.0.114.${n}`);

    expect((await open(limited(), sheet, "203.0.113.9")).statusCode).toBe(429);
    expect((await open(limited(), other, "203.0.113.9")).statusCode).toBe(200);
  });
});

test("LIM-20 while a sheet is drawn others go on after each of its labels", async () => {
  const label = { encodedUrl: "HTTPS://FETTLE.EXAMPLE/Q/1", lines: ["Pump"] };
  const labels = Array.from({ length: 100 }, () => label);
  let turns = 0;
  let isDrawn = false;
  const takeTurn = () => {
    turns += 1;
    if (!isDrawn) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);

  await drawSheet({ title: "Labels", template: labelTemplates.avery_l7160, skip: 0, labels });

  isDrawn = true;
  expect(turns).toBeGreaterThanOrEqual(labels.length);
});

describe("links to labels", () => {
  const testApp = useApp();

  test("without limits a sheet is drawn as often as it is asked for", async () => {
    const { sheet } = await someLinks(testApp());

    for (let n = 0; n < 22; n += 1) {
      expect((await open(testApp(), sheet, "203.0.113.1")).statusCode).toBe(200);
    }
  });

  test("HEAD tells what GET would, and draws nothing", async () => {
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

  test.each([1281, 8000])("a token of %i characters is as unknown as any other", async (length) => {
    const answer = await open(testApp(), "x".repeat(length), "203.0.113.1");
    const other = await open(testApp(), "y", "203.0.113.1");

    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe(other.body);
  });
});
