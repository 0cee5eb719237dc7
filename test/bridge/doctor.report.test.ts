import { expect, test } from "vitest";
import { ok, problem, warning } from "../../bridge/src/doctor/finding.js";
import { createReport } from "../../bridge/src/commands/doctor.js";

const findings = [
  ok("Proxy", "none for this address"),
  warning("Clock", "300 s behind the server", "Set the clock: certificates depend on it."),
  problem("Folder", "/home/dara/a-path-that-is-longer-than-any-line is open", "Close it."),
];

function write(terminal?: { hasColours: boolean }): string {
  let written = "";
  const report = createReport({ writeOut: (text) => (written += text), terminal });
  for (const finding of findings) {
    report.begin("this computer");
    report.add(finding);
  }
  report.end();
  return written;
}

test("writes a finding on one line and its advice on another in a file", () => {
  expect(write()).toBe(
    "ok       Proxy: none for this address\n" +
      "warning  Clock: 300 s behind the server\n" +
      "          Set the clock: certificates depend on it.\n" +
      "PROBLEM  Folder: /home/dara/a-path-that-is-longer-than-any-line is open\n" +
      "          Close it.\n",
  );
});

test("shows progress in place and colors results on a terminal", () => {
  const text = write({ hasColours: true });

  expect(text).toContain(
    "\r\u001b[KLooking at this computer …\r\u001b[K\u001b[32mok      \u001b[39m Proxy: none",
  );
  expect(text).toContain("\u001b[33mwarning \u001b[39m");
  expect(text).toContain("\u001b[31mPROBLEM \u001b[39m");
  expect(text.endsWith("Close it.\n\r\u001b[K")).toBe(true);
});

test("strips terminal control characters from findings", () => {
  let written = "";
  const report = createReport({ writeOut: (text) => (written += text) });
  report.add(problem("Name", "\u001b]0;owned\u0007\u009b31m\u202ered", "See\r\u001b[2Kthis"));

  expect(written).toBe("PROBLEM  Name: ]0;owned 31m red\n          See [2Kthis\n");
});
