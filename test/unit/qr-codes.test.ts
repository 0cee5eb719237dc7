import { describe, expect, test } from "vitest";
import {
  createQrCode,
  quietZone,
  toEncodedUrl,
  toPng,
  toSvg,
} from "../../server/src/domain/labels/qr-codes.js";
import { readPngCode } from "../support/qr-reader.js";

const hosts = [
  "http://localhost:3000",
  "https://fettle.example.com",
  "https://assets.maintenance.example-company.co.uk:8443",
];

describe("QR code text", () => {
  test("is the URL in capitals", () => {
    expect(toEncodedUrl("https://fettle.example.com:8443", "7k2m0000zzzz")).toBe(
      "HTTPS://FETTLE.EXAMPLE.COM:8443/Q/7K2M0000ZZZZ",
    );
  });

  test.each([
    { host: hosts[0], version: 2 },
    { host: hosts[1], version: 3 },
    { host: hosts[2], version: 4 },
  ])("fits $host into a small symbol", ({ host = "", version }) => {
    expect(createQrCode(toEncodedUrl(host, "0123456789ab")).size).toBe(17 + 4 * version);
  });
});

describe("QR code images", () => {
  test.each(hosts)("for %s can be read back from a PNG", (host) => {
    const text = toEncodedUrl(host, "0123456789ab");

    expect(readPngCode(toPng(createQrCode(text)))).toBe(text);
  });

  test("are small as PNGs", () => {
    expect(toPng(createQrCode(toEncodedUrl(hosts[1] ?? "", "0123456789ab"))).length).toBeLessThan(
      2000,
    );
  });

  test("draw exactly the dark squares as SVG, inside the quiet zone", () => {
    const code = createQrCode("HTTPS://FETTLE.EXAMPLE.COM/Q/0123456789AB");
    const side = code.size + 2 * quietZone;

    const svg = toSvg(code);

    const { path = "" } =
      /^<svg [^<>]+><rect [^<>]+\/><path d="(?<path>[^"<>]+)" fill="#000"\/><\/svg>$/.exec(svg)
        ?.groups ?? {};
    expect(svg).toContain(`viewBox="0 0 ${side} ${side}"`);
    const drawn = new Set<string>();
    for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
      for (let n = 0; n < Number(length); n += 1) drawn.add(`${Number(x) + n} ${y}`);
    }
    expect(path.replace(/M(\d+) (\d+)h(\d+)v1h-\3z/g, "")).toBe("");
    const dark = Array.from({ length: side * side }, (_, n) => [n % side, Math.floor(n / side)])
      .filter(([x = 0, y = 0]) => {
        const [column, row] = [x - quietZone, y - quietZone];
        const isInside = Math.min(column, row) >= 0 && Math.max(column, row) < code.size;
        return isInside && code.get(column, row);
      })
      .map(([x, y]) => `${x} ${y}`);
    expect([...drawn].sort()).toEqual(dark.sort());
  });
});
