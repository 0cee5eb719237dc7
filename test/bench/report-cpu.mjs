/** Loaded into each measured server with --import: tells its CPU time when the bench asks. */
process.on("message", (message) => {
  if (message === "cpu") process.send?.({ cpu: process.cpuUsage() });
});
