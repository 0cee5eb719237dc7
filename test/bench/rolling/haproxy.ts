import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As in docs/operate/upgrade.md. */
const settings = (port: number, nodes: readonly number[]) => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 2s
  timeout client 35s
  timeout server 35s
  option redispatch
  retries 2
frontend fettle
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 500ms fall 1 rise 1 observe layer4
${nodes.map((node) => `  server node${node} 127.0.0.1:${node}`).join("\n")}
`;

/** Starts Debian's HAProxy in front of the nodes. The returned function ends it. */
export async function startHaproxy(port: number, nodes: readonly number[]): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "haproxy-"));
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, settings(port, nodes).trimStart());
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  await once(child, "spawn");
  return () => {
    child.kill("SIGTERM");
    rmSync(folder, { recursive: true });
  };
}
