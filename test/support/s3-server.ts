import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ObjectStoreSettings } from "../../server/src/domain/files/object-store.js";

export interface S3Server {
  settings: ObjectStoreSettings;
  keys: () => string[];
  stop: () => Promise<void>;
}

const program = fileURLToPath(new URL("s3-server-child.mjs", import.meta.url));
const bucket = "fettle-test";

/** Starts an S3-compatible store in a separate process. */
export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "s3-"));
  const child = spawn(process.execPath, [program, folder, bucket], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return {
    settings: {
      ...{ bucket, region: "us-east-1", endpoint: `http://127.0.0.1:${String(port).trim()}` },
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    },
    keys: () =>
      readdirSync(join(folder, bucket), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith("_object"))
        .map((name) => name.replace(/\._S3rver_object$/, "")),
    stop: async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
