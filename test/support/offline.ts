import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Browser, Page } from "playwright-core";
import { commit } from "../../server/src/domain/history/transactions.js";
import { createTask } from "../../server/src/domain/tasks/create-task.js";
import type { GivenStep } from "../../server/src/domain/tasks/checklist-steps.js";
import type { TestApp } from "./app.js";
import { anAsset, aTeam, readAsset, type Team } from "./asset-pages.js";
import { toCaller, type Member } from "./builders.js";
import { openPage, type OpenPage } from "./pages.js";

const steps: (string | GivenStep)[] = [
  "Wipe the housing",
  { label: "Pressure", kind: "number", unit: "bar", min: 1, max: 6 },
  { label: "Remarks", kind: "text" },
  { label: "Photo of the plate", kind: "photo" },
];

export interface Work {
  team: Team;
  asset: { id: string; code: string };
  tasks: { id: string; number: string }[];
}

/** A team, an asset, and the open tasks of its member. */
export async function someWork(current: TestApp, count = 1, checklist = steps): Promise<Work> {
  const team = await aTeam(current);
  const { id } = await anAsset(current, team, { name: "Pump" });
  const row = await readAsset(current, id);
  const tasks = [];
  for (let index = 1; index <= count; index += 1) {
    const { task } = await commit({ db: current.db, caller: null }, (tx) =>
      createTask(tx, toCaller(team.owner), {
        ...{ title: `Service ${index}`, asset_id: id, checklist },
        assigned_to_user_id: team.member.userId,
      }),
    );
    tasks.push({ id: task.id, number: task.task_number });
  }
  return { team, asset: { id, code: String(row?.["qr_token"]) }, tasks };
}

/** Opens the person's work on a phone, which keeps it. */
export async function openPhone(chromium: Browser, current: TestApp, by: Member) {
  const view = { width: 390, colorScheme: "light", javaScriptEnabled: true } as const;
  const opened: OpenPage = await openPage(chromium, current, by, {
    ...view,
    ...{ hasTouch: true, isMobile: true },
  });
  await keepWork(opened.page);
  return opened;
}

/**
 * Opens a page, again if that fails: the browser may use a connection that the server has closed, or
 * an earlier navigation may end later.
 */
export async function openSurely(page: Page, address: string): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    const isThere = await page.goto(address).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${address} can't be opened.`);
}

/** Opens the home page, and waits until the phone has all pages. */
export async function keepWork(page: Page): Promise<void> {
  await openSurely(page, "/");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const isKept = async () => (await caches.match("/offline/pages")) !== undefined;
    while (!(await isKept()) || navigator.serviceWorker.controller === null) {
      await new Promise((done) => setTimeout(done, 20));
    }
  });
}

/** Blocks all connections to the server until the returned function is called. */
export function unplug({ app: { server } }: TestApp): () => void {
  const cut = (socket: Socket) => socket.destroy();
  server.on("connection", cut);
  server.closeAllConnections();
  return () => {
    server.off("connection", cut);
  };
}

/** Cuts connections to forms before their reply. The server has made the change. */
export function loseReplies(
  { app: { server } }: TestApp,
  isLost: (url: string) => boolean,
): () => void {
  const cut = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "POST" || !isLost(request.url ?? "")) return;
    const drop = () => {
      request.socket.destroy();
      return response;
    };
    Object.assign(response, { writeHead: drop, write: () => false, end: drop });
  };
  server.prependListener("request", cut);
  return () => {
    server.off("request", cut);
  };
}

/** Hides the store of cookies from the service worker, as in browsers without one. */
export function hideCookies({ app: { server } }: TestApp): () => void {
  const hide = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== "/worker.js") return;
    delete request.headers["accept-encoding"];
    const [writeHead, end] = [response.writeHead.bind(response), response.end.bind(response)];
    Object.assign(response, {
      writeHead: (status: number, headers: Record<string, string>) => {
        delete headers["content-length"];
        return writeHead(status, headers);
      },
      end: (script: string) =>
        end(`Object.defineProperty(self, "cookieStore", { value: undefined });\n${script}`),
    });
  };
  server.prependListener("request", hide);
  return () => {
    server.off("request", hide);
  };
}
