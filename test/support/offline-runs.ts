import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { TestApp } from "./app.js";
import { loseReplies, openPhone, openSurely, someWork, unplug, type Work } from "./offline.js";
import { aPhoto } from "./pictures.js";

/** Networks that a run meets, at random. */
const networks = ["online", "offline", "lost replies"] as const;
type Network = (typeof networks)[number];

/** Interruptions shortly after a form is sent. */
const interruptions = [
  "none",
  "none",
  "kill the page",
  "kill the worker",
  "reload",
  "twice",
] as const;

interface Entry {
  text: string;
  kind: "comment" | "file" | "answer" | "report";
  /** True if the page said that the input is saved, here or on the server. */
  isConfirmed: boolean;
}

export interface Outcome {
  runs: number;
  sent: number;
  confirmed: number;
  interrupted: number;
  lost: string[];
  doubled: string[];
}

/** Returns numbers from 0 to below 1 that depend only on the seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A person sends forms from a phone while the network comes and goes, and pages and the worker are
 * killed. After each run the network is back, everything is sent, and each input must be on the
 * server once. An input whose page was killed before it was confirmed may be missing.
 */
export async function runAtRandom(
  chromium: Browser,
  current: TestApp,
  { runs, seed }: { runs: number; seed: number },
): Promise<Outcome> {
  const random = createRandom(seed);
  const pick = <One>(all: readonly One[]) => all[Math.floor(random() * all.length)] as One;
  const outcome: Outcome = { runs, sent: 0, confirmed: 0, interrupted: 0, lost: [], doubled: [] };
  const tasksOfPhone = 3;
  const runsOfPhone = 40;
  let phone: Phone | undefined;
  for (let run = 0; run < runs; run += 1) {
    if (run % runsOfPhone === 0) {
      await phone?.close();
      phone = await Phone.open(chromium, current, await someWork(current, tasksOfPhone));
    }
    if (phone === undefined) throw new Error("There is no phone.");
    const entries: Entry[] = [];
    for (let count = 1 + Math.floor(random() * 2); count > 0; count -= 1) {
      const network = pick(networks);
      const interruption = pick(interruptions);
      const entry: Entry = {
        text: `run ${seed}-${run}-${count}`,
        kind: pick(["comment", "comment", "answer", "answer", "file", "report"]),
        isConfirmed: false,
      };
      entries.push(entry);
      await phone.send(entry, { network, interruption, waitMs: random() * 80, random });
      if (interruption !== "none") outcome.interrupted += 1;
    }
    await phone.finish();
    outcome.sent += entries.length;
    outcome.confirmed += entries.filter(({ isConfirmed }) => isConfirmed).length;
    for (const entry of entries) {
      const count = await countStored(current, entry);
      if (count > 1) outcome.doubled.push(`${entry.kind} ${entry.text}: ${count}`);
      if (count === 0 && entry.isConfirmed) outcome.lost.push(`${entry.kind} ${entry.text}`);
    }
  }
  await phone?.close();
  return outcome;
}

async function countStored({ db }: TestApp, { text, kind }: Entry): Promise<number> {
  const statements = {
    comment: "SELECT count(*)::int AS count FROM comments WHERE text = $1",
    file: "SELECT count(*)::int AS count FROM files WHERE name = $1 || '.jpg'",
    report: "SELECT count(*)::int AS count FROM problem_reports WHERE description = $1",
    // Each change of an answer is in the history.
    answer: `SELECT count(*)::int AS count FROM history_events
      WHERE changes @> jsonb_build_array(jsonb_build_object('to', $1::text))`,
  };
  const { count } = await db.one<{ count: number }>(statements[kind], [text]);
  return count;
}

interface Sending {
  network: Network;
  interruption: (typeof interruptions)[number];
  waitMs: number;
  random: () => number;
}

class Phone {
  readonly #context: BrowserContext;
  readonly #current: TestApp;
  readonly #work: Work;
  readonly #photo: Buffer;
  #page: Page;
  /** Stays open, as a second tab. */
  readonly #control: Page;
  readonly #devtools: CDPSession;
  #restore: () => void = () => {};

  private constructor(
    current: TestApp,
    work: Work,
    pages: { page: Page; control: Page; devtools: CDPSession; photo: Buffer },
  ) {
    this.#current = current;
    this.#work = work;
    this.#page = pages.page;
    this.#control = pages.control;
    this.#devtools = pages.devtools;
    this.#photo = pages.photo;
    this.#context = pages.page.context();
  }

  static async open(chromium: Browser, current: TestApp, work: Work): Promise<Phone> {
    const { page: control } = await openPhone(chromium, current, work.team.member);
    await control.goto("/offline");
    const page = await control.context().newPage();
    const devtools = await control.context().newCDPSession(control);
    await devtools.send("ServiceWorker.enable");
    const photo = await aPhoto({ width: 20, height: 20 });
    return new Phone(current, work, { page, control, devtools, photo });
  }

  async close(): Promise<void> {
    await this.#context.close();
  }

  async send(entry: Entry, { network, interruption, waitMs, random }: Sending): Promise<void> {
    // Some pages are opened in one network and sent in another.
    if (random() < 0.5) this.#change(network);
    const form = await this.#openForm(entry, random);
    if (random() < 0.2) await this.#changeMeanwhile();
    this.#change(network);
    const before = this.#page;
    const button = before.locator(form).locator("button[type=submit]:enabled").last();
    // A form whose input already waits can't be sent.
    if ((await button.count()) === 0) return;
    const arrival = before
      .waitForEvent("load", { timeout: interruption === "kill the worker" ? 1000 : 20_000 })
      .then(() => true)
      .catch(() => false);
    const pressed = button.evaluate((element: HTMLButtonElement, isTwice) => {
      const press = () => {
        element.form?.requestSubmit(element);
      };
      // Lets this call return before the page is replaced.
      setTimeout(press);
      if (isTwice) setTimeout(press, 5);
    }, interruption === "twice");
    // The page may be replaced before the call returns.
    await atMost(3000, pressed);
    if (interruption === "none" || interruption === "twice") {
      entry.isConfirmed = (await arrival) && (await isAccepted(this.#page));
      return;
    }
    await new Promise((done) => setTimeout(done, waitMs));
    if (interruption === "kill the page") {
      // Chromium sometimes closes the tab of a form without ever saying so.
      await atMost(3000, before.close({ runBeforeUnload: false }));
      this.#page = await this.#context.newPage();
    } else if (interruption === "kill the worker") {
      await this.#devtools.send("ServiceWorker.stopAllWorkers");
      await arrival;
    } else {
      await before.reload({ timeout: 20_000 }).catch(() => undefined);
    }
  }

  /** The network is back, and nothing may be left to send. */
  async finish(): Promise<void> {
    this.#change("online");
    for (let turn = 0; turn < 20; turn += 1) {
      const waiting = await this.#control.evaluate(async () => {
        const { active } = await navigator.serviceWorker.ready;
        const script = document.querySelector<HTMLScriptElement>("script[data-person]");
        const ask = (message: object) =>
          new Promise<{ items: { id: number; refused?: object }[] }>((done) => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = ({ data }) => {
              done(data as { items: { id: number }[] });
            };
            // A worker that is killed while it answers never does.
            setTimeout(() => {
              done({ items: [{ id: 0 }] });
            }, 5000);
            active?.postMessage({ ...message, person: script?.dataset["person"] }, [port2]);
          });
        const { items } = await ask({ act: "send" });
        return items.map(({ id, refused }) => ({ id, isRefused: refused !== undefined }));
      });
      if (waiting.length === 0) return;
      const refused = waiting.find(({ isRefused }) => isRefused);
      if (refused !== undefined) await this.#decide(refused.id);
    }
    throw new Error("Changes still wait.");
  }

  /** The person sends a refused form again, on the current version. */
  async #decide(id: number): Promise<void> {
    const link = this.#control.locator(`a[href$="#waiting=${id}"]`);
    const address = await link.getAttribute("href");
    await openSurely(this.#page, address ?? "/");
    const form = this.#page.locator("form:has(input[name=_replaces])");
    await form.waitFor();
    const arrival = this.#page.waitForEvent("load");
    await form.evaluate((element: HTMLFormElement) => {
      setTimeout(() => {
        element.requestSubmit();
      });
    });
    await arrival;
  }

  /** Someone else changes the tasks. */
  async #changeMeanwhile(): Promise<void> {
    const ids = this.#work.tasks.map(({ id }) => id);
    const change = "UPDATE maintenance_tasks SET version = version + 1 WHERE id = ANY ($1)";
    await this.#current.db.query(change, [ids]);
  }

  /** Opens a page, fills in its form, and returns the form's selector. */
  async #openForm(entry: Entry, random: () => number): Promise<string> {
    const { tasks, asset } = this.#work;
    const task = tasks[Math.floor(random() * tasks.length)];
    const address = entry.kind === "report" ? `/q/${asset.code}/report` : `/tasks/${task?.id}`;
    await openSurely(this.#page, address);
    const page = this.#page;
    if (entry.kind === "comment") {
      await page.locator("textarea[name=comment]").fill(entry.text);
      return "form.comment-form";
    }
    if (entry.kind === "answer") {
      await page.locator("form[action$=checklist] textarea").fill(entry.text);
      return "form[action$=checklist]";
    }
    if (entry.kind === "report") {
      await page.locator("textarea[name=description]").fill(entry.text);
      await page.locator("input[name=still_usable][value=yes]").check();
      return "form:has(textarea[name=description])";
    }
    const file = { name: `${entry.text}.jpg`, mimeType: "image/jpeg", buffer: this.#photo };
    // The page's script would send it at once.
    await page.evaluate(() => {
      const stop = (event: Event) => {
        event.stopPropagation();
      };
      addEventListener("change", stop, { capture: true });
    });
    await page.locator("form.add-files input[type=file]").setInputFiles(file);
    return "form.add-files";
  }

  #change(network: Network): void {
    this.#restore();
    if (network === "offline") this.#restore = unplug(this.#current);
    else if (network === "lost replies") this.#restore = loseReplies(this.#current, () => true);
    else this.#restore = () => {};
  }
}

/** Waits until the promise ends, also with an error, or the time has passed. */
async function atMost(ms: number, ending: Promise<void>): Promise<void> {
  await Promise.race([ending.catch(() => undefined), new Promise((done) => setTimeout(done, ms))]);
}

/** False if the page shows an error, so the person knows that the input isn't saved. */
async function isAccepted(page: Page): Promise<boolean> {
  const isError = await page.locator(".error-summary, h1:text('offline')").count();
  return isError === 0 && (await page.locator("main").count()) === 1;
}
