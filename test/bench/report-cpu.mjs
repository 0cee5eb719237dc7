/** Loaded into each measured server with --import: tells what it has used when the bench asks. */
process.on("message", (message) => {
  if (message !== "use") return;
  process.send?.({ cpu: process.cpuUsage(), peakKiB: process.resourceUsage().maxRSS });
});
