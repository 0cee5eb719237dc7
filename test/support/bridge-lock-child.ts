import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withLock } from "../../bridge/src/profile/lock.js";

/**
 * Enters the critical section repeatedly and writes a line per round: "in", or "violation" if
 * another process was inside. In the kill round the process dies inside.
 */
const [folder = "", rounds = "0", killRound = "-1"] = process.argv.slice(2);
const inside = join(folder, "inside");
const self = String(process.pid);

for (let round = 1; round <= Number(rounds); round += 1) {
  const work = () => enter(round === Number(killRound));
  const alone = await withLock({ folder }, "stress", { waitMs: 60_000 }, work);
  process.stdout.write(alone ? "in\n" : "violation\n");
}

/** Returns true if no other process entered meanwhile. */
async function enter(dies: boolean): Promise<boolean> {
  const before = read();
  writeFileSync(inside, self);
  await sleep(Math.random() * 4);
  const after = read();
  if (dies) {
    writeFileSync(inside, "dead");
    process.kill(process.pid, "SIGKILL");
  }
  rmSync(inside, { force: true });
  return (before === undefined || before === "dead") && after === self;
}

function read(): string | undefined {
  try {
    return readFileSync(inside, "utf8");
  } catch {
    return undefined;
  }
}
