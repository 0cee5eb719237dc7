import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, inject, test, vi } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import { aTeam, anAsset } from "../../support/asset-pages.js";
import { aMember } from "../../support/builders.js";
import { type SentFile, type TestBrowser, toCookieHeader } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import {
  aHeicPhoto,
  anOfficeDocument,
  aPhoto,
  aJpegOfScans,
  aPictureBomb,
  aZip,
  describePicture,
} from "../../support/pictures.js";

const openXml = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const macros = "application/vnd.ms-word.document.macroEnabled";
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;

describe("rejected files", () => {
  const current = useApp({ files: { maxMegabytes: 1, organizationMegabytes: 2, s3: undefined } });

  /** Uploads files to a new asset. Returns the response and the stored files. */
  async function send(...files: SentFile[]) {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const action = `/assets/${asset.id}/files`;
    const answer = await browser.sendFiles(await browser.get(action), action, files);
    const stored = await current().db.query<{ id: string; name: string; type: string }>(
      "SELECT id, name, type FROM files WHERE organization_id = $1 ORDER BY name",
      [team.owner.organizationId],
    );
    return { answer, stored, browser };
  }

  test.each([
    ["no boundary", "multipart/form-data", "--x--"],
    ["an empty boundary", "multipart/form-data; boundary=", "----"],
    ["no body", "multipart/form-data; boundary=x", ""],
    ["something else", "multipart/form-data; boundary=x", "_csrf=1&a=b"],
    [
      "no end",
      "multipart/form-data; boundary=x",
      "--x\r\ncontent-disposition: form-data; name=a\r\n\r\nb",
    ],
    [
      "a file without an end",
      "multipart/form-data; boundary=x",
      '--x\r\ncontent-disposition: form-data; name="a"; filename="a.txt"\r\n\r\nb',
    ],
    ["a header without an end", "multipart/form-data; boundary=x", "--x\r\ncontent-dispo"],
    ["no header", "multipart/form-data; boundary=x", "--x\r\n\r\nb\r\n--x--"],
  ])("rejects a form with %s as a client error", async (_, type, payload) => {
    const { app } = current();
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const { cookies } = await signIn(app, team.member);
    const cookie = toCookieHeader(cookies);
    for (const [url, headers] of [
      ["/q/none/report", {}],
      [`/assets/${asset.id}/files`, { cookie }],
    ] as const) {
      const { origin, host } = new URL(app.services.config.baseUrl);
      const sender = { "content-type": type, origin, host, ...headers };
      const { statusCode } = await app.inject({ method: "POST", url, payload, headers: sender });
      expect([url, statusCode]).toEqual([
        url,
        expect.toSatisfy((code) => code >= 400 && code < 500),
      ]);
    }
  });

  const photo = aPhoto();
  const kind = "has a file type you can't store here";
  const markup = "is SVG, HTML or XML, which can contain scripts";
  const unreadable = "damaged or incomplete";
  const bad: [what: string, file: () => Promise<SentFile> | SentFile, says: string][] = [
    ["an SVG with a script", () => ({ name: "a.svg", content: svg }), markup],
    ["an SVG that is called a picture", () => ({ name: "a.png", content: svg }), markup],
    ["an SVG behind spaces", () => ({ name: "a.txt", content: `\uFEFF \n${svg}` }), markup],
    [
      "an XML declaration",
      () => ({ name: "a.txt", content: `<?xml version="1.0"?>${svg}` }),
      markup,
    ],
    ["HTML", () => ({ name: "a.jpg", content: "<!doctype html><script>x</script>" }), markup],
    ["a HEIC photo", () => ({ name: "IMG_2.HEIC", content: aHeicPhoto }), "Most compatible"],
    ["a zip file", () => ({ name: "a.docx", content: aZip("a.txt", "hello") }), kind],
    ["macros", () => ({ name: "a.docx", content: anOfficeDocument(macros) }), kind],
    ["a packed file", () => ({ name: "a.txt", content: gzipSync("x".repeat(100_000)) }), kind],
    ["a program", () => ({ name: "a.jpg", content: Buffer.from("MZ\x90\0\x03\0\0\0") }), kind],
    ["a GIF", () => ({ name: "a.jpg", content: Buffer.from("GIF89a\x01\0\x01\0\0\0\0;") }), kind],
    ["bytes", () => ({ name: "a.txt", content: Buffer.from([65, 0, 66, 1]) }), kind],
    ["nothing", () => ({ name: "a.jpg", content: "" }), "is empty"],
    [
      "half of a photo",
      async () => ({ name: "a.jpg", content: (await photo).subarray(0, 500) }),
      unreadable,
    ],
    [
      "the head of a photo alone",
      () => ({ name: "a.jpg", content: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]) }),
      unreadable,
    ],
    ["a bomb", () => ({ name: "a.png", content: aPictureBomb(60_000) }), "64 million pixels"],
    [
      "LIM-37 a bomb of deep colours",
      () => ({ name: "a.png", content: aPictureBomb(6000, { isDeep: true }) }),
      "64 million pixels",
    ],
    [
      "a bomb that is too short",
      () => ({ name: "a.png", content: aPictureBomb(7000) }),
      unreadable,
    ],
    ["LIM-37 too many passes", () => ({ name: "a.jpg", content: aJpegOfScans(51) }), unreadable],
    ["too much", () => ({ name: "a.txt", content: "x".repeat(1_048_577) }), "larger than 1 MB"],
  ];

  test.each(bad)("rejects %s with the reason and stores nothing", async (_, file, says) => {
    const good = { name: "good.jpg", content: await photo };

    const { answer, stored } = await send(good, { field: "file", ...(await file()) });

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(says);
    expect(answer.body).toContain('id="file-error"');
    expect(stored).toEqual([]);
  });

  test.each([
    ["a text", "bad.jpg", "words"],
    ["a program", "x.exe", Buffer.from("MZ\x90\0\x03\0\0\0")],
    ["a PDF", "a.pdf", Buffer.from("%PDF-1.7 x")],
    ["an SVG", "a.svg", svg],
  ])("rejects %s in the photo field and names the file", async (_, name, content) => {
    const { answer, stored } = await send({ name, content });

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(
      `&quot;${name}&quot; isn't a photo. Nothing was saved. Send JPEG, PNG or WebP here.`,
    );
    expect(answer.body).toContain('id="file-error"');
    expect(stored).toEqual([]);
  });

  test("accepts a photo encoded in several passes", async () => {
    // Videos that phones append can contain any bytes.
    const content = Buffer.concat([aJpegOfScans(50), Buffer.alloc(1000, "ffda", "hex")]);

    const { answer, stored } = await send({ name: "a.jpg", content });

    expect(answer.statusCode).toBe(303);
    expect(stored).toMatchObject([{ name: "a.jpg", type: "image/jpeg" }]);
  });

  test("strips data appended to a photo, such as a page or an archive", async () => {
    const tail = Buffer.concat([Buffer.from(svg), aZip("a.html", svg)]);

    const { answer, stored, browser } = await send({
      name: "../../etc/photo.html",
      content: Buffer.concat([await photo, tail]),
    });
    const kept = (await browser.get(`/files/${stored[0]?.id ?? ""}`)).rawPayload;

    expect(answer.statusCode).toBe(303);
    expect(stored).toMatchObject([{ name: "photo.html.jpg", type: "image/jpeg" }]);
    expect(await describePicture(kept)).toMatchObject({ width: 200, format: "jpeg" });
    expect(kept.includes("<svg")).toBe(false);
  });

  test("serves texts and documents as attachments with a fitting file name", async () => {
    const { answer, stored, browser } = await send(
      { field: "file", name: "notes.html", content: "Oil <script>alert(1)</script>" },
      { field: "file", name: "List.CSV", content: "a;b\n1;2" },
      { field: "file", name: "Wartung “ä”.docx", content: anOfficeDocument(openXml) },
      { field: "file", name: "x: set-cookie|b.txt", content: "x" },
    );
    const answers = await Promise.all(stored.map(({ id }) => browser.get(`/files/${id}`)));

    expect(answer.statusCode).toBe(303);
    expect(stored.map(({ name, type }) => [name, type]).sort()).toEqual(
      [
        ["List.csv", "text/csv"],
        ["Wartung “ä”.docx", openXml],
        ["notes.html.txt", "text/plain"],
        ["x set-cookie b.txt", "text/plain"],
      ].sort(),
    );
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        "content-disposition": expect.stringMatching(/^attachment; filename="[^"]+"; /) as string,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      });
      expect(headers["set-cookie"]).toBeUndefined();
    }
  });

  test("enforces the organization's storage limit", async () => {
    const text = (name: string) => ({ field: "file", name, content: "x".repeat(800_000) });

    const { answer, stored } = await send(text("a.txt"), text("b.txt"), text("c.txt"));

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("would exceed 2 MB");
    expect(answer.body).toContain('id="file-error"');
    expect(stored).toEqual([]);
  });

  test("GRO-09 counts each small file as a database piece", async () => {
    const small = Array.from({ length: 10 }, (_, index) => ({
      ...{ field: "file", name: `${index}.txt`, content: "x" },
    }));
    const team = await aTeam(current());
    const browser = await signIn(current().app, team.member);
    const sendTo = async () => {
      const action = `/assets/${(await anAsset(current(), team)).id}/files`;
      return browser.sendFiles(await browser.get(action), action, small);
    };
    expect((await sendTo()).statusCode).toBe(303);

    const answer = await sendTo();

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("would exceed 2 MB");
  });

  // The embedded database applies changes one at a time.
  test.runIf(inject("databaseUrl") !== null)(
    "enforces the storage limit for concurrent uploads",
    async () => {
      const team = await aTeam(current());
      const browser = await signIn(current().app, team.member);
      const content = Buffer.alloc(900_000, "Oil of 5 W ");
      const places = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const action = `/assets/${(await anAsset(current(), team)).id}/files`;
          return { action, page: await browser.get(action) };
        }),
      );

      const answers = await Promise.all(
        places.map(({ action, page }) =>
          browser.sendFiles(page, action, [{ field: "file", name: "a.txt", content }]),
        ),
      );

      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 303, 400, 400]);
    },
  );

  test("rejects more files than a form accepts", async () => {
    const files = Array.from({ length: 11 }, (_, index) => ({
      ...{ field: "file", name: `${index}.txt`, content: "x" },
    }));

    const { answer, stored } = await send(...files);

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("Send at most 10 files at once.");
    expect(stored).toEqual([]);
  });

  test("returns 415 for a form that takes no files", async () => {
    const team = await aTeam(current());
    const browser = await signIn(current().app, team.member);

    const answer = await browser.sendFiles(await browser.get("/"), "/signout", []);

    expect(answer.statusCode).toBe(415);
  });
});

describe("file uploads over a connection", () => {
  const current = useServer();
  const foldersHere = () =>
    readdirSync(tmpdir())
      .filter((name) => name.startsWith(`fettle-uploads-${process.pid}-`))
      .map((name) => join(tmpdir(), name));
  const uploadsHere = () => foldersHere().flatMap((folder) => readdirSync(folder));

  /** Sends the form over the network like a browser. */
  async function post(cookies: Map<string, string>, path: string, fields: object, file: Blob) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
    form.append("file", file, "large.jpg");
    const { baseUrl } = current().config;
    return fetch(baseUrl + path, {
      method: "POST",
      body: form,
      redirect: "manual",
      headers: {
        accept: "text/html",
        origin: baseUrl,
        cookie: toCookieHeader(cookies),
      },
    });
  }

  async function addFile(browser: TestBrowser, assetId: string, file: Blob): Promise<Response> {
    const path = `/assets/${assetId}/files`;
    const { body } = await browser.get(path);
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(body)?.[1] ?? "";
    return post(browser.cookies, path, { _csrf }, file);
  }

  test("rejects 50 MB with a clear message and leaves nothing on disk", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const large = new Blob([new Uint8Array(50 * 1024 * 1024)]);

    const answer = await addFile(browser, asset.id, large);

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("large.jpg&quot; is larger than 10 MB.");
    await expect.poll(uploadsHere).toEqual([]);
  });

  test("reads nothing from a person who isn't signed in", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);

    const answer = await post(new Map(), `/assets/${asset.id}/files`, {}, new Blob(["x"]));

    expect(answer.status).toBe(403);
    await expect.poll(uploadsHere).toEqual([]);
  });

  test("LIM-63 aborted forms leave nothing on disk", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const { cookies } = await signIn(current().app, team.member);
    const { port, host, origin } = new URL(current().config.baseUrl);
    const files = Array.from(
      { length: 8 },
      (_, index) =>
        `--x\r\nContent-Disposition: form-data; name="file"; filename="${index}.txt"\r\n\r\n${"x".repeat(20_000)}\r\n`,
    ).join("");
    const head = [
      `POST /assets/${asset.id}/files HTTP/1.1`,
      ...[`Host: ${host}`, `Origin: ${origin}`, "Content-Length: 1000000"],
      `Cookie: ${toCookieHeader(cookies)}`,
      "Content-Type: multipart/form-data; boundary=x",
    ].join("\r\n");

    for (let round = 0; round < 40; round += 1) {
      const socket = createConnection(Number(port), "127.0.0.1").on("error", () => undefined);
      socket.write(`${head}\r\n\r\n${files}`);
      await expect.poll(uploadsHere, { interval: 1 }).not.toEqual([]);
      socket.resetAndDestroy();
      await once(socket, "close");
    }

    await expect.poll(uploadsHere).toEqual([]);
  });

  test("accepts files after the system removed old temporary folders", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    for (const folder of foldersHere()) rmSync(folder, { recursive: true });

    const answer = await addFile(browser, asset.id, new Blob(["Replaced the seal."]));

    expect(answer.status).toBe(303);
    await expect.poll(uploadsHere).toEqual([]);
  });

  test("limits an organization's uploads in progress, however many people send them", async () => {
    const { db, app, config } = current();
    const { organization } = await aMember(db);
    const cut: unknown[] = [];
    const sockets: Socket[] = [];
    for (let count = 0; count < 11; count += 1) {
      const browser = await signIn(app, await aMember(db, { organization, role: "member" }));
      const socket = createConnection(config.port, "localhost");
      sockets.push(socket.on("close", () => cut.push(count)).on("error", () => undefined));
      socket.write(
        [
          "POST /import HTTP/1.1",
          `host: ${new URL(config.baseUrl).host}`,
          `origin: ${config.baseUrl}`,
          `cookie: ${toCookieHeader(browser.cookies)}`,
          "content-type: multipart/form-data; boundary=x",
          "content-length: 20000000",
          '\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n',
        ].join("\r\n"),
      );
      socket.write(Buffer.alloc(9 * 1_048_576, "a"));
    }

    await vi.waitUntil(() => cut.length > 0, 60_000);

    for (const socket of sockets) socket.destroy();
  });
});
