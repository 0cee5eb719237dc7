import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const built = new URL("../../server/dist/domain/files/picture-process.js", import.meta.url);

/** Processes a picture and prints the command line of the process that read it. */
const program = `
import { readFileSync, readdirSync } from "node:fs";
import { orderPicture } from ${JSON.stringify(built.href)};
await orderPicture({ given: Buffer.from("none"), type: "image/png" });
const children = readdirSync("/proc/self/task").flatMap((thread) =>
  readFileSync("/proc/self/task/" + thread + "/children", "utf8").split(" ").filter(Boolean));
const started = children.map((pid) => readFileSync("/proc/" + pid + "/cmdline", "utf8").split("\\0"));
console.log(JSON.stringify({ settings: process.env.SECRET_KEYS, started }));
process.exit(0);
`;

test("LIM-98 the picture process does not read the env file that Node started with", () => {
  const folder = mkdtempSync(join(tmpdir(), "fettle-settings-"));
  try {
    const settings = join(folder, "settings.env");
    writeFileSync(settings, "SECRET_KEYS=known");
    writeFileSync(join(folder, "program.mjs"), program);
    const words = [`--env-file=${settings}`, join(folder, "program.mjs")];
    const told: unknown = JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }));

    const itsProgram = expect.stringContaining("picture-program.js") as string;
    const started = [[process.execPath, itsProgram, ""]];
    expect(told).toEqual({ settings: "known", started });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
