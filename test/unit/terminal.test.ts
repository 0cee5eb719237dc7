import { describe, expect, test } from "vitest";
import { toBanner } from "../../server/src/commands/serve.js";
import { createLogger, describeEntry } from "../../server/src/plugins/logging.js";

describe("server on a terminal", () => {
  const urlsOf = (url: string) => ({ url, mcp: `${url}/mcp` });
  const setupOf = (url: string) => ({ ...urlsOf(url), setup: `${url}/setup?token=abc` });

  test("prints its addresses, and the setup link with a QR code that a phone can open", () => {
    const remote = toBanner(setupOf("https://fettle.example"));
    const local = toBanner(setupOf("http://localhost:3000"));

    expect(remote).toContain("  Pages   https://fettle.example\n");
    expect(remote).toContain("\n  https://fettle.example/setup?token=abc\n");
    expect(remote).toContain("\u001b[97;40m███");
    expect(local).toContain("\n  http://localhost:3000/setup?token=abc\n");
    expect(local).not.toContain("█");
    expect(toBanner(urlsOf("https://fettle.example"))).not.toContain("first account");
  });

  test("logs requests, warnings and errors as short lines", () => {
    const lines: string[] = [];
    const write = (line: string) => lines.push(describeEntry(line));
    const log = createLogger({ logLevel: "info" }, { write });

    log.info({ method: "GET", route: "/assets/:id", status: 200, time: 12.4 }, "request");
    log.warn("The disk is almost full.");
    log.error({ err: new Error("no disk") }, "A request failed.");

    const [request, warning, error] = lines.map((line) => line.replace(/^[\d:]{8} /, ""));
    expect(request).toBe("GET /assets/:id 200, 12.4 ms\n");
    expect(warning).toBe("WARN The disk is almost full.\n");
    expect(error).toMatch(/^ERROR A request failed\.\nError: no disk\n {4}at /);
  });
});
