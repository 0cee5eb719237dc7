import { readFileSync } from "node:fs";

/** Loaded into each measured server with --import. Reports resource usage when the bench asks. */
process.on("message", (message) => {
  if (message !== "use") return;
  const { user, system } = process.cpuUsage();
  const peakKiB = process.resourceUsage().maxRSS;
  const memoryKiB = process.memoryUsage.rss() / 1024;
  const cpuMs = (user + system) / 1000;
  process.send?.({ cpuMs, mainThreadMs: mainThreadMs(), peakKiB, memoryKiB });
});

/** Node 20 reports only the total of all threads. Linux reports each thread. */
function mainThreadMs() {
  const [ns] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return Number(ns) / 1e6;
}
