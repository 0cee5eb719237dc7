import { readFileSync, readdirSync } from "node:fs";
import { setImmediate as laterOn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { AppError } from "../../server/src/errors.js";
import { readPicture } from "../../server/src/domain/files/pictures.js";
import { aPhoto, describePicture } from "../support/pictures.js";

const uploader = { organizationId: "org_c", userId: "usr_c" };

async function read(onOpen: () => void = () => undefined) {
  const photo = await aPhoto();
  const open = async () => {
    onOpen();
    return photo;
  };
  return readPicture(open, "image/jpeg", { field: "photo", name: "a.jpg", uploader });
}

/** Lists processes from the system's process table. */
function findProcesses(): string[] {
  const threads = readdirSync("/proc/self/task");
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
  );
  return children.filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("picture-program"),
  );
}

function findProcess(): number {
  const [found] = findProcesses();
  if (found === undefined) throw new Error("No process reads pictures.");
  return Number(found);
}

test("LIM-98 reports busy if no process can start, and the server keeps running", async () => {
  const { execPath } = process;
  // Tests of other files may have left a process that would be reused.
  await read();
  process.kill(findProcess());
  await expect.poll(findProcesses).toEqual([]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    process.execPath = "/nonexistent/node";
    await expect(read()).rejects.toMatchObject({ code: "unavailable" });
    process.execPath = execPath;
    // Until the end of its channel was read.
    for (let turn = 0; turn < 5; turn += 1) await laterOn();
    // The time after which an idle process ends.
    expect(() => vi.advanceTimersByTime(10_000)).not.toThrow();
  } finally {
    process.execPath = execPath;
    vi.useRealTimers();
  }
  await expect(read()).resolves.toMatchObject({ width: 200, height: 300 });
});

test("LIM-98 reads pictures in a separate process without the server's settings", async () => {
  const picture = await read();

  const variables = readFileSync(`/proc/${findProcess()}/environ`, "utf8").split("\0");
  const names = variables.map((variable) => variable.split("=")[0] ?? "").filter(Boolean);
  expect(names.filter((name) => !/^(MALLOC|NODE_CHANNEL)_/.test(name))).toEqual([]);
  expect(await describePicture(picture.content)).toMatchObject({ width: 200, height: 300 });
});

test("LIM-98 reports busy if the process dies, and starts another for the next picture", async () => {
  await read();
  const pid = findProcess();
  const endIt = () => {
    process.kill(pid, "SIGSTOP");
    setImmediate(() => process.kill(pid, "SIGKILL"));
  };

  const error: unknown = await read(endIt).catch((refused: unknown) => refused);

  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: "unavailable" });
  await expect(read()).resolves.toMatchObject({ width: 200, height: 300 });
  expect(findProcess()).not.toBe(pid);
});
