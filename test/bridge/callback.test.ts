import { execFile } from "node:child_process";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type CallbackListener,
  deniedPage,
  failedPage,
  openCallback,
  pageHeaders,
  signedInPage,
  unknownPage,
  usedPage,
} from "../../bridge/src/sign-in/callback.js";

const signInUrl = "https://auth.example/authorize?client_id=c";
const state = "the-right-state";

describe("browser callback", () => {
  let listener: CallbackListener;
  let returns: URLSearchParams[];

  beforeEach(async () => {
    listener = await openCallback(0);
    returns = [];
    listener.expect({
      url: signInUrl,
      state,
      complete: async (parameters) => {
        returns.push(parameters);
        return signedInPage("fettle.example");
      },
    });
  });
  afterEach(() => listener.close());

  function open(path: string, { method = "GET", host = `127.0.0.1:${listener.port}` } = {}) {
    return new Promise<{ status: number; headers: object; body: string }>((resolve, reject) => {
      request(
        {
          port: listener.port,
          path,
          method,
          headers: { host: host.replace("PORT", String(listener.port)) },
        },
        (answer) => {
          void text(answer).then((body) => {
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
          });
        },
      )
        .once("error", reject)
        .end();
    });
  }

  test("passes on the server's answer for the right state and shows the success page", async () => {
    const answer = await open(`/callback?state=${state}&code=c1&iss=https%3A%2F%2Fauth.example`);

    expect(answer.status).toBe(200);
    expect(answer.body).toContain("Your assistant can now use fettle.example for you.");
    expect(returns.map(String)).toEqual([`state=${state}&code=c1&iss=https%3A%2F%2Fauth.example`]);
  });

  test("accepts a denial with the right state", async () => {
    await open(`/callback?state=${state}&error=access_denied`);

    expect(returns.map((it) => it.get("error"))).toEqual(["access_denied"]);
  });

  test.each([
    ["a wrong state", "/callback?state=wrong&code=forged", {}],
    ["no state", "/callback?code=forged", {}],
    ["two states", `/callback?state=${state}&state=wrong&code=forged`, {}],
    ["a refusal with a wrong state", "/callback?state=wrong&error=access_denied", {}],
    ["another host", `/callback?state=${state}&code=forged`, { host: "evil.example" }],
    ["a host without the port", `/callback?state=${state}&code=forged`, { host: "127.0.0.1" }],
    ["the host by name", `/callback?state=${state}&code=forged`, { host: "localhost:PORT" }],
    ["a POST", `/callback?state=${state}&code=forged`, { method: "POST" }],
    ["another path", `/callback/x?state=${state}&code=forged`, {}],
    ["the root", "/", {}],
  ])("rejects %s with a plain page, and the sign-in continues", async (_, path, how) => {
    const forged = await open(path, how);

    expect(forged.status).toBe(400);
    expect(forged.body).not.toContain("forged");
    expect(returns).toEqual([]);
    expect((await open(`/callback?state=${state}&code=real`)).status).toBe(200);
    expect(returns.map((it) => it.get("code"))).toEqual(["real"]);
  });

  test("a repeated callback shows the first page again and exchanges the code once", async () => {
    const [first, second] = await Promise.all([
      open(`/callback?state=${state}&code=c1`),
      open(`/callback?state=${state}&code=c1`),
    ]);

    expect(second.body).toBe(first.body);
    expect(returns).toHaveLength(1);
  });

  test("the short address redirects to the sign-in and is unguessable", async () => {
    const { pathname } = new URL(listener.shortAddress);

    const answer = await open(pathname);

    expect(answer).toMatchObject({ status: 303, headers: { location: signInUrl } });
    expect(pathname).toMatch(/^\/[\w-]{12}$/);
  });

  test("the one-shot address redirects once, then explains how to continue", async () => {
    const { pathname } = new URL(listener.oneShotAddress);

    const [first, second] = [await open(pathname), await open(pathname)];

    expect(first).toMatchObject({ status: 303, headers: { location: signInUrl } });
    expect(second.status).toBe(410);
    expect(second.headers).not.toHaveProperty("location");
    expect(second.body).toContain("open the address that your assistant or your terminal shows");
    expect((await open(new URL(listener.shortAddress).pathname)).status).toBe(303);
  });

  test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "BRG-07 rejects another user of the computer without using up any address",
    async () => {
      const code =
        "fetch(process.argv[1], { redirect: 'manual' }).then((it) => console.log(it.status))";
      const runAsNobody = async (script: string, address: string) => {
        const args = ["--input-type=module", "-e", script, address];
        const nobody = { uid: 65534, gid: 65534, cwd: "/" };
        return (await promisify(execFile)(process.execPath, args, nobody)).stdout.trim();
      };
      const openAsNobody = (address: string) => runAsNobody(code, address);
      const callback = new URL(`/callback?state=${state}&code=c1`, listener.shortAddress).href;
      const mapped = listener.shortAddress.replace("127.0.0.1", "[::ffff:127.0.0.1]");

      for (const address of [listener.oneShotAddress, listener.shortAddress, callback, mapped])
        expect(await openAsNobody(address)).toBe("400");
      const hangUp = `import { connect } from "node:net";
        const { host, port, pathname, search } = new URL(process.argv[1]);
        for (const end of ["destroy", "destroy", "resetAndDestroy", "resetAndDestroy"])
          await new Promise((done) => {
            const socket = connect(port, "127.0.0.1", () => {
              const lines = ["GET " + pathname + search + " HTTP/1.1", "Host: " + host, "", ""];
              socket.write(lines.join("\\r\\n"), () => socket[end]());
            }).once("close", done);
          });`;
      await runAsNobody(hangUp, callback);
      // Earlier requests are answered first, so they are finished now.
      expect((await open("/")).status).toBe(400);
      expect(returns).toEqual([]);
      expect((await open(new URL(listener.oneShotAddress).pathname)).status).toBe(303);
    },
  );

  test("forbids caching, framing, loading content and sending a referrer", async () => {
    const { headers } = await open(`/callback?state=${state}&code=c1`);

    expect(headers).toMatchObject(pageHeaders);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'$/,
      ) as string,
    });
  });

  test("fails with EADDRINUSE when the port is taken", async () => {
    await expect(openCallback(listener.port)).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("rejects a callback before the sign-in has started", async () => {
    const early = await openCallback(0);

    const { status } = await fetch(`${early.redirectUri}?state=&code=c1`);

    expect(status).toBe(400);
    await early.close();
  });
});

describe("result pages", () => {
  test.each([
    ["signed in", signedInPage("fettle.example"), "You are signed in"],
    ["denied", deniedPage("fettle.example"), "Access was not given"],
    ["failed", failedPage("fettle.example"), "The sign-in did not work"],
    ["unknown", unknownPage(), "This link does not belong here"],
    ["used", usedPage(), "This link was used already"],
  ])("%s: has a language and a title, no script, and loads nothing", (_, page, title) => {
    expect(page.html).toContain('<html lang="en">');
    expect(page.html).toContain(`<title>${title} - fettle-bridge</title>`);
    expect(page.html).not.toMatch(/<script|src=|href=|url\(/);
  });

  test("escapes the server's name", () => {
    expect(signedInPage('<b a="x">').html).toContain("&#60;b a=&#34;x&#34;&#62;");
  });
});
