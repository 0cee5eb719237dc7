import { randomBytes } from "node:crypto";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import sharp from "sharp";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { findFreePort, useServer } from "../support/app.js";
import { aTeam, anAsset } from "../support/asset-pages.js";
import { createBrowser } from "../support/browser.js";
import { signIn } from "../support/oauth.js";

const current = useServer({ trustProxy: 1 });
const guide = readFileSync(new URL("../../docs/operate/install.md", import.meta.url), "utf8");

/** The fenced block in this language. */
function blockOf(language: string): string {
  const [, block = ""] = guide.split(`\`\`\`${language}\n`);
  const end = block.indexOf("```");
  expect(end, `docs/operate/install.md has no block in ${language}`).toBeGreaterThan(0);
  return block.slice(0, end);
}

const toThisServer = (text: string) =>
  text.replaceAll("127.0.0.1:3000", `127.0.0.1:${current().config.port}`);

const folder = mkdtempSync(join(tmpdir(), "fettle-proxies-"));
let proxy: ChildProcess | undefined;
afterEach(async () => {
  const ended = new Promise((done) => proxy?.once("exit", done));
  proxy?.kill("SIGTERM");
  if (proxy !== undefined) await ended;
  proxy = undefined;
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program with its settings file. Throws if the program is missing. */
async function start(
  command: string,
  args: string[],
  file: string,
  settings: string,
  port: number,
) {
  writeFileSync(join(folder, file), settings);
  execFileSync("which", [command]);
  proxy = spawn(command, args, { stdio: "inherit", env: { ...process.env, HOME: folder } });
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/healthz`), { timeout: 30_000 });
}

/** Sends the app's requests through a proxy. */
function through(port: number): FastifyInstance {
  const inject = async (options: {
    method?: string;
    url: string;
    headers?: Record<string, string>;
    payload?: string | Buffer;
  }) => {
    const { method = "GET", url: path, headers = {}, payload } = options;
    const answer = await new Promise<LightMyRequestResponse>((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
        buffer(response).then((rawPayload) => {
          const { statusCode = 0, headers: received } = response;
          const cookies = (received["set-cookie"] ?? []).map(toCookie);
          const body = rawPayload.toString();
          resolve({ statusCode, headers: received, cookies, body, rawPayload } as never);
        }, reject);
      });
      sent.on("error", reject).end(payload);
    });
    return answer;
  };
  return { services: current().app.services, inject } as unknown as FastifyInstance;
}

function toCookie(text: string): { name: string; value: string; maxAge?: number } {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
  return { name, value, ...(/max-age=0/i.test(text) && { maxAge: 0 }) };
}

/** Random noise, so the file has 3 MB. */
async function aLargePhoto(): Promise<Buffer> {
  const raw = { width: 1050, height: 1050, channels: 3 } as const;
  const photo = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .png()
    .toBuffer();
  expect(photo.length).toBeGreaterThan(3_000_000);
  return photo;
}

async function expectPhotoStoredThrough(port: number): Promise<void> {
  const team = await aTeam(current());
  const asset = await anAsset(current(), team);
  const { cookies } = await signIn(current().app, team.member);
  const browser = createBrowser(through(port));
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  const page = await browser.get(`/assets/${asset.id}?tab=files`);

  const photo = { name: "IMG_1.png", content: await aLargePhoto() };
  const answer = await browser.sendFiles(page, `/assets/${asset.id}/files`, [photo]);

  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(303);
  const stored: unknown = await current().db.query(
    "SELECT 1 FROM files WHERE organization_id = $1 AND size > 1000000",
    [team.owner.organizationId],
  );
  expect(stored).toHaveLength(1);
}

test("a 3 MB photo gets through nginx as documented", async () => {
  const port = await findFreePort();
  const [zone = "", server = ""] = toThisServer(blockOf("nginx")).split('# In the block "server":');
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  const settings = `daemon off; user root; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${temporary}\n${zone}\nserver { listen 127.0.0.1:${port};\n${server}\n} }`;
  const args = ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")];
  await start("/usr/sbin/nginx", args, "nginx.conf", settings, port);

  await expectPhotoStoredThrough(port);
});

test("a 3 MB photo gets through Caddy as documented", async () => {
  const port = await findFreePort();
  const site = toThisServer(blockOf("caddyfile")).replace("fettle.example.com", `http://:${port}`);
  const settings = `{\n  admin off\n}\n${site}`;
  const args = ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  await start("caddy", args, "Caddyfile", settings, port);

  await expectPhotoStoredThrough(port);
});

test("the Traefik block is YAML, and its router points to an existing service", () => {
  const { http } = parse(blockOf("yaml")) as {
    http: Record<"routers" | "services", Record<string, { service?: string }>>;
  };

  expect(http.services).toHaveProperty(http.routers["fettle"]?.service ?? "none");
});
