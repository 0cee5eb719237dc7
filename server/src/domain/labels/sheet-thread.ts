import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { AppError } from "../../errors.js";
import { createFairQueue, turnsOf } from "../../traffic/slots.js";
import type { SheetMessage, SheetOrder } from "./sheet-worker.js";
import { slots } from "../../traffic/bounds.js";

/**
 * Draws one sheet at a time in a worker thread, because a hundred labels can take ten seconds.
 * Organizations take turns.
 */
export interface SheetThread {
  draw: (organizationId: string, order: SheetOrder) => Promise<Uint8Array>;
  close: () => Promise<unknown>;
}

/** The thread ends after this time without a drawn sheet, whether it is idle or hangs. */
const maxSilenceMs = 60_000;

/**
 * Starts the thread with the first sheet and restarts it after it ends. Sheets in progress at that
 * moment fail. `homeOf` returns the queue of an organization.
 */
export function createSheetThread(
  homeOf: (organizationId: string) => Promise<string> = async (id) => id,
): SheetThread {
  let running: Running | undefined;
  let isClosed = false;
  const giveUp = () => notDrawn(new Error("Too many sheets wait."));
  const inTurn = turnsOf(
    homeOf,
    createFairQueue(slots.sheets.most, { maxWaitMs: slots.sheets.waitMs, giveUp }),
  );
  return {
    draw: (organizationId, order) =>
      inTurn(organizationId, async () => {
        if (isClosed) throw notDrawn(isClosing());
        running ??= start(() => (running = undefined));
        return running.draw(order);
      }),
    close: async () => {
      isClosed = true;
      return running?.end(isClosing());
    },
  };
}

function isClosing(): Error {
  return new Error("The server is closing.");
}

interface Running {
  /** Draws one at a time. */
  draw: (order: SheetOrder) => Promise<Uint8Array>;
  end: (why: unknown) => Promise<unknown>;
}

interface Waiting {
  resolve: (pdf: Uint8Array) => void;
  reject: (error: unknown) => void;
}

function start(onEnd: () => void): Running {
  const worker = new Worker(new URL(`sheet-worker${extname(import.meta.url)}`, import.meta.url));
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let hasEnded = false;
  const end = (why: unknown) => {
    if (!hasEnded) onEnd();
    hasEnded = true;
    clearTimeout(silence);
    for (const { reject } of waiting.values()) reject(notDrawn(why));
    waiting.clear();
    return worker.terminate();
  };
  const silence = setTimeout(() => {
    void end(new Error(`The thread of the sheets was silent for ${maxSilenceMs} ms.`));
  }, maxSilenceMs).unref();
  worker.on("message", (message: SheetMessage) => {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    silence.refresh();
    if (message.kind === "drawn") asked?.resolve(message.pdf);
    else asked?.reject(message.error);
  });
  worker.once("error", (error) => {
    void end(error);
  });
  worker.once("exit", (code) => {
    void end(new Error(`The thread of the sheets ended with code ${code}.`));
  });
  return {
    draw: async (order) => {
      silence.refresh();
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        worker.postMessage({ id, order });
        waiting.set(id, { resolve, reject });
      });
    },
    end,
  };
}

function notDrawn(cause: unknown): AppError {
  return new AppError("unavailable", "sheet_not_drawn", { retry_after_seconds: 10 }, { cause });
}
