import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { PictureAnswer, PictureOrder } from "./picture-program.js";

/** An idle process ends after this time and frees its memory. */
const maxIdleMs = 10_000;
/** The process has its own time limits. This one ends a process that hangs. */
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
 * Decodes pictures in a separate process. Decoding takes hundreds of megabytes, much of which the
 * server would retain. An exploited decoder can't reach the server's secrets. Rejects if the
 * process ends meanwhile.
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
  // Node's own arguments can name a settings file. TypeScript sources need them to run.
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

/** An idle child process doesn't keep the server running. */
function rest(current: Running): void {
  current.child.unref();
  current.child.channel?.unref();
  current.idle = setTimeout(() => {
    if (running === current) running = undefined;
    // A process that failed to start isn't connected, for example when process or file limits are
    // reached.
    if (current.child.connected) current.child.disconnect();
  }, maxIdleMs).unref();
}

/** glibc, mallopt(3): large blocks return to the system instead of being held by small ones. */
const memoryIsGivenBack = { MALLOC_MMAP_THRESHOLD_: "1048576", MALLOC_ARENA_MAX: "2" };
