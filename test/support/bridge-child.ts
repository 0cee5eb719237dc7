import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles a TypeScript module into one file for plain node. Returns its path. Packages stay
 * external and are resolved from the folder, by default this checkout's.
 */
export async function bundleChild(
  entry: string | URL,
  folder = join(root, "node_modules/.cache/bridge-children"),
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry instanceof URL ? fileURLToPath(entry) : entry],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["development"],
    packages: "external",
    alias: { "fettle-shared": join(root, "shared/src/index.ts") },
    logLevel: "warning",
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const path = join(folder, `${createHash("sha256").update(code).digest("hex").slice(0, 16)}.mjs`);
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  // Another worker may be writing identical content.
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, code);
  renameSync(temporary, path);
  return path;
}
