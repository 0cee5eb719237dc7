import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeers } from "../install-peers.js";
import { contenders, peers } from "./contenders.js";
import { measure, type Round } from "./measure.js";
import { toReport } from "./report.js";

/*
 * Measures bridges against the bare pipe in one run. Each runs as a process between this one and a
 * server that only answers. Trust the ratios: absolute figures depend on the machine.
 */

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);

installPeers(peers);
const home = mkdtempSync(join(tmpdir(), "bridge-bench-"));
const results = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]));
try {
  for (let round = 0; round < rounds; round += 1) {
    // Changes the order each round, so no contender always runs first.
    const turn = round % contenders.length;
    for (const contender of [...contenders.slice(turn), ...contenders.slice(0, turn)]) {
      const server = fork(fileURLToPath(new URL("./upstream.mjs", import.meta.url)));
      const [port] = (await once(server, "message")) as [number];
      const result = await measure(contender, `http://127.0.0.1:${port}/mcp`, home);
      results.get(contender.name)?.push(result);
      server.kill();
      await once(server, "exit");
    }
    console.log(`round ${round + 1} of ${rounds}`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
console.log(toReport(results));
