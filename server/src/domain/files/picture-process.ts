import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { PictureAnswer, PictureOrder } from "./picture-program.js";

/** After so long without an order the process ends, and gives back what memory it still has. */
const maxIdleMs = 10_000;
/** The process has time limits of its own; this ends one that hangs. */
const maxMs = 150_000;

interface Waiting {
  resolve: (answer: PictureAnswer) => void;
  reject: (error: Error) => void;
}

interface Running {
  child: ChildProcess;
  waiting: Map<number, Waiting>;
  idle?: NodeJS.Timeout;
}

let running: Running | undefined;
let lastId = 0;

/**
 * Has pictures read in a process of its own: decoding takes hundreds of megabytes, of which the
 * server would keep much, and what a faulty decoder can be made to do it does without the server's secrets.
 * Rejects when the process ends meanwhile.
 */
export async function orderPicture(order: Omit<PictureOrder, "id">): Promise<PictureAnswer> {
  const current = (running ??= start());
  const { child, waiting } = current;
  const id = ++lastId;
  clearTimeout(current.idle);
  child.ref();
  child.channel?.ref();
  const timer = setTimeout(() => child.kill("SIGKILL"), maxMs);
  try {
    return await new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      child.send({ id, ...order } satisfies PictureOrder, (error) => {
        if (error !== null) reject(error);
      });
    });
  } finally {
    clearTimeout(timer);
    waiting.delete(id);
    if (waiting.size === 0) rest(current);
  }
}

function start(): Running {
  const path = fileURLToPath(
    new URL(`picture-program${extname(import.meta.url)}`, import.meta.url),
  );
  // What Node was started with can name a file of settings. Sources need it to run at all.
  const execArgv = path.endsWith(".ts") ? process.execArgv : [];
  const child = fork(path, { serialization: "advanced", env: memoryIsGivenBack, execArgv });
  const started: Running = { child, waiting: new Map() };
  const end = (why: Error) => {
    if (running === started) running = undefined;
    for (const { reject } of started.waiting.values()) reject(why);
  };
  child.on("message", (answer: PictureAnswer) => started.waiting.get(answer.id)?.resolve(answer));
  child.once("error", end);
  child.once("exit", (code, signal) => {
    end(new Error(`The process of pictures ended (${code ?? signal}).`));
  });
  return started;
}

/** It keeps no server running that has nothing else to do. */
function rest(current: Running): void {
  current.child.unref();
  current.child.channel?.unref();
  current.idle = setTimeout(() => {
    if (running === current) running = undefined;
    // One that never began, as where no more processes or files may be opened, is none to part from.
    if (current.child.connected) current.child.disconnect();
  }, maxIdleMs).unref();
}

/** Of glibc, mallopt(3): large blocks go back to the system, not to where small ones keep them from it. */
const memoryIsGivenBack = { MALLOC_MMAP_THRESHOLD_: "1048576", MALLOC_ARENA_MAX: "2" };
