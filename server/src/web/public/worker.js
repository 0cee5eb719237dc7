// The service worker of all pages. It keeps a person's work for offline use, stores their forms
// before it sends them, and shows the server's messages for this browser.
const cookieName = "__Host-fettle-offline";
const storePrefix = "offline-";
const pagesAddress = "/offline/pages";
const personHeader = "fettle-person";
const cookieLifeMs = 12 * 60 * 60_000;

/** Forms that can wait. Each has a key, so the server runs it once however often it is sent. */
const waitingForm =
  /^\/(?:(?:tasks|assets)\/[^/]+\/(?:comments|files)|tasks\/[^/]+\/(?:checklist|complete|state|hold)|q\/[^/]+\/report)$/;
const copyLifeMs = 60 * 60_000;
/** The server admits bursts of 100 requests, and then 10 per second. */
const burst = 40;
const paceMs = 150;
const pause = () => new Promise((done) => setTimeout(done, paceMs));

const isFile = /^\/files\/[^/]+(?:\/thumbnail)?$/;
const fileBytesAtMost = 5 * 1024 * 1024;
const allFilesBytesAtMost = 100 * 1024 * 1024;

/* The queue. It is the only place that knows what waits. */

const opened = () =>
  new Promise((done, fail) => {
    const request = indexedDB.open("fettle-offline", 1);
    request.onupgradeneeded = () => {
      const queue = request.result.createObjectStore("queue", {
        keyPath: "id",
        autoIncrement: true,
      });
      queue.createIndex("key", "key", { unique: true });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
let database;

/** Resolves with the result of `work` when the data is on the disk. */
async function withQueue(mode, work) {
  database ??= opened();
  const transaction = (await database).transaction("queue", mode, { durability: "strict" });
  const result = work(transaction.objectStore("queue"));
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(result?.result);
    transaction.onabort = () => fail(transaction.error);
  });
}

const findAll = () => withQueue("readonly", (queue) => queue.getAll());
const findOne = (id) => withQueue("readonly", (queue) => queue.get(id));
const remove = (id) => withQueue("readwrite", (queue) => queue.delete(id));

/** Changes an item unless it was removed meanwhile. */
function change(id, values) {
  return withQueue("readwrite", (queue) => {
    queue.get(id).onsuccess = ({ target: { result } }) => {
      if (result !== undefined) queue.put({ ...result, ...values });
    };
  });
}

/** Adds an item, or updates the one with its key. Removes the item that it replaces. */
function add(item, replaced) {
  const holder = {};
  return withQueue("readwrite", (queue) => {
    if (replaced > 0) queue.delete(replaced);
    queue.index("key").getKey(item.key).onsuccess = ({ target: { result } }) => {
      const stored = result === undefined ? item : { ...item, id: result };
      queue.put(stored).onsuccess = (event) => (holder.result = event.target.result);
    };
    return holder;
  });
}

/** A task's forms are sent in order. So are an asset's, and those of a label. */
const subjectOf = ({ path }) => path.split("/").slice(0, 3).join("/");
const fieldOf = ({ fields }, wanted) => fields.find(([name]) => name === wanted)?.[1];

const createKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => (one % 32).toString(32)).join("");

/* Sending */

const lockName = "fettle-offline";
const channel = new BroadcastChannel(lockName);
/** The reason that changes wait: offline, busy, signedOut or other. */
let problem = "";

async function readSession() {
  const answer = await fetch("/offline/session", { headers: { accept: "application/json" } });
  return answer.ok ? answer.json() : undefined;
}

function toBody({ isMultipart, fields }, token) {
  const body = isMultipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields) body.append(name, value);
  body.append("_csrf", token);
  return body;
}

/** A refused form's photos and drawings are stored already. Fields of their steps name them. */
function withStored(fields, received) {
  const steps = fields.flatMap(([name, value]) => {
    const [, drawing, step] = /^photo-(drawing-)?(\d+)$/.exec(name) ?? [];
    return step !== undefined && typeof value !== "string" ? [`${drawing ?? "step-"}${step}`] : [];
  });
  return [
    ...fields.filter(([name, value]) => typeof value === "string" && !steps.includes(name)),
    ...steps.map((name) => [name, received[name]]),
  ];
}

/** Returns `{ sent }`, `{ refused }` or the reason to wait. */
async function post(item, session, isAgain = false) {
  const answer = await fetch(item.path, {
    ...{ method: "POST", redirect: "manual", body: toBody(item, session.token) },
    headers: { accept: "application/json", "fettle-made-at": new Date(item.at).toISOString() },
  });
  if (answer.ok) return { sent: await answer.json() };
  if (answer.status === 429 || answer.status >= 500) return "busy";
  if (answer.type === "opaqueredirect" || answer.status === 403) {
    const now = await readSession();
    if (now === undefined) return "busy";
    if (now.person !== item.person) return now.person === null ? "signedOut" : "other";
    if (answer.status === 403 && !isAgain) return post(item, now, true);
  }
  const { message = "", isStale = false, received } = await answer.json().catch(() => ({}));
  const fields = received === undefined ? item.fields : withStored(item.fields, received);
  return { refused: { text: message, isStale }, fields };
}

/**
 * Removes a sent item. Later forms for the version that it was based on are now based on the one
 * that it made, because no one else changed the task in between.
 */
function settle({ id, path, fields }, { version }) {
  const base = fieldOf({ fields }, "expected_version");
  return withQueue("readwrite", (queue) => {
    queue.delete(id);
    if (version === undefined || base === undefined) return;
    queue.openCursor(IDBKeyRange.lowerBound(id, true)).onsuccess = ({ target: { result } }) => {
      if (result === null) return;
      const { value } = result;
      const isNext = fieldOf(value, "expected_version") === base && value.refused === undefined;
      if (isNext && subjectOf(value) === subjectOf({ path })) {
        const rebased = value.fields.map(([name, text]) =>
          name === "expected_version" ? [name, String(version)] : [name, text],
        );
        result.update({ ...value, fields: rebased });
      }
      result.continue();
    };
  });
}

/**
 * Sends what waits for the signed-in person, in order. Call it with the lock. Adds the subjects that
 * it changes to the set.
 */
async function sendAll(changed) {
  const waiting = (await findAll()).filter(({ refused }) => refused === undefined);
  problem = "";
  if (waiting.length === 0) return;
  const session = await readSession();
  if (session === undefined) {
    problem = "busy";
    return;
  }
  const blocked = new Set();
  for (const { id } of await findAll()) {
    const item = await findOne(id);
    if (item === undefined || blocked.has(subjectOf(item))) continue;
    if (item.person !== session.person) {
      problem ||= session.person === null ? "signedOut" : "other";
      continue;
    }
    const answer = item.refused === undefined ? await post(item, session) : item;
    if (answer.sent !== undefined) {
      await settle(item, answer.sent);
      changed.add(subjectOf(item));
      channel.postMessage({ sent: answer.sent.text });
      continue;
    }
    blocked.add(subjectOf(item));
    if (typeof answer === "string") problem = answer;
    else if (item.refused === undefined) await change(id, answer);
  }
}

async function trySending() {
  const changed = new Set();
  try {
    await sendAll(changed);
    for (const subject of changed) await keepChanged(subject);
  } catch {
    problem = "offline";
  }
  if (problem === "offline" || problem === "busy") {
    await self.registration.sync?.register(lockName).catch(() => {});
  }
  channel.postMessage({});
}

const send = () => navigator.locks.request(lockName, trySending);

/* Receiving forms */

/** The buttons, labels and shown values of forms that pages are about to send, by key. */
const descriptions = new Map();

const personOf = (owner) => owner.split(".")[0];

/** The person whose pages are here. */
async function findStored() {
  const names = (await caches.keys()).filter((name) => name.startsWith(storePrefix));
  return names.length === 1 ? names[0].slice(storePrefix.length) : undefined;
}

/** Without access to cookies, the stored pages name their owner as long as the cookie would. */
async function readOwner() {
  if (self.cookieStore !== undefined) return (await self.cookieStore.get(cookieName))?.value;
  const owner = await findStored();
  const listed = owner && (await (await caches.open(storePrefix + owner)).match(pagesAddress));
  const age = Date.now() - Date.parse(listed?.headers.get("date") ?? 0);
  return age < cookieLifeMs ? owner : undefined;
}

/** The cookie ends after some hours. The pages of its person are then still there. */
const findOwner = async () => (await readOwner()) ?? findStored();

/** Each page from the server names its person, which a browser without the cookie needs. */
async function isOwn(answer, owner) {
  if (self.cookieStore !== undefined) return (await readOwner()) === owner;
  return (answer.headers.get(personHeader) ?? personOf(owner)) === personOf(owner);
}

async function findName(path) {
  const { pages = [] } = (await (await caches.match(pagesAddress))?.json()) ?? {};
  return pages.find(({ address }) => address === path || address === subjectOf({ path }))?.name;
}

/** Stores a form. Returns undefined if it can't wait. */
async function keepForm(request) {
  const owner = await findOwner();
  if (owner === undefined) return undefined;
  const form = [...(await request.formData())].filter(
    ([, value]) => typeof value === "string" || value.size > 0 || value.name !== "",
  );
  const { pathname: path } = new URL(request.url);
  const key = form.find(([name]) => name === "request_key")?.[1];
  if (key === undefined) return undefined;
  const replaced = Number(form.find(([name]) => name === "_replaces")?.[1]);
  const item = {
    ...{ key: `${path} ${key}`, path, person: personOf(owner), at: Date.now() },
    name: await findName(path).catch(() => undefined),
    ...descriptions.get(key),
    isMultipart: request.headers.get("content-type").startsWith("multipart/"),
    fields: form.filter(([name]) => name !== "_csrf" && name !== "_replaces"),
  };
  return { ...item, id: await add(item, replaced) };
}

/** Sends a stored form as the browser would. Returns undefined if it waits. */
async function passOn(request, item, owner) {
  const before = (await findAll()).filter(({ id, person }) => {
    return id < item.id && person === item.person;
  });
  const subject = subjectOf(item);
  if (before.some((one) => one.refused === undefined || subjectOf(one) === subject)) {
    await trySending();
    return undefined;
  }
  try {
    const answer = await fetch(request);
    const isSignedOut =
      self.cookieStore === undefined
        ? (await readSession())?.person !== item.person
        : owner !== undefined && (await readOwner()) !== owner;
    if (answer.status === 429 || answer.status >= 500 || isSignedOut) return undefined;
    await remove(item.id);
    return answer;
  } catch {
    problem = "offline";
    await self.registration.sync?.register(lockName).catch(() => {});
    return undefined;
  }
}

/** Where a person who sent a form goes on. A label has no page of its own. */
async function findNext(item) {
  if ((await findOne(item.id))?.refused !== undefined) return "/offline";
  return item.path.startsWith("/q/") ? "/offline" : subjectOf(item);
}

/** The event lasts until the copies of the changed task's pages are replaced. */
async function receive(event) {
  const { request } = event;
  const copy = request.clone();
  const owner = await readOwner();
  const { lang, words } = findTexts();
  let { text } = words;
  let item;
  try {
    item = await keepForm(request);
  } catch {
    text = words.noRoom;
  }
  if (item === undefined) return fetch(copy).catch(() => toPage(lang, { ...words, text }));
  const answer = await navigator.locks.request(lockName, () => passOn(copy, item, owner));
  if (answer !== undefined) event.waitUntil(keepChanged(subjectOf(item)).catch(() => {}));
  return answer ?? Response.redirect(await findNext(item), 303);
}

/* Keeping pages */

const running = new Set();

/** Runs `keep` unless it is running. Returns false if there is no room. */
async function keepOnce(keep) {
  if (running.has(keep)) return true;
  running.add(keep);
  try {
    await keep();
    return true;
  } catch (error) {
    return error.name !== "QuotaExceededError";
  } finally {
    running.delete(keep);
  }
}

/** Keeps the pages of the person's tasks with their thumbnails. */
async function keepPages() {
  const listed = await fetch(pagesAddress, { redirect: "manual" });
  if (!listed.ok) return;
  const { owner, pages } = await listed.clone().json();
  if (self.cookieStore === undefined) await dropStores((name) => name !== storePrefix + owner);
  const store = await caches.open(storePrefix + owner);
  const { pages: former = [] } = (await (await store.match(pagesAddress))?.json()) ?? {};
  const stamps = new Map(former.map(({ address, stamp }) => [address, stamp]));
  const stale = [];
  for (const { address, source = address, stamp } of pages) {
    const kept = await store.match(address);
    const age = Date.now() - Date.parse(kept?.headers.get("date") ?? 0);
    if (stamps.get(address) !== stamp || !(age < copyLifeMs)) stale.push([address, source]);
  }
  let count = 0;
  for (const [address, source] of stale) {
    count += 1;
    if (count > burst) await pause();
    const answer = await fetch(source, { redirect: "manual", headers: { "fettle-copy": "1" } });
    // Another person may have signed in meanwhile.
    if (!(await isOwn(answer, owner))) return;
    if (!answer.ok) continue;
    await store.put(address, answer.clone());
    await keepParts(store, await answer.text());
  }
  await dropUnlisted(store, former, pages);
  await store.put(pagesAddress, listed);
}

/** Styles, scripts and thumbnails, whose content never changes. */
async function keepParts(store, html) {
  const parts = html.matchAll(/(?:src|href)="(\/static\/[^"]+|\/files\/[^"]+\/thumbnail)"/g);
  for (const address of new Set([...parts].map(([, part]) => part))) {
    if ((await store.match(address)) !== undefined) continue;
    const answer = await fetch(address);
    if (answer.ok) await store.put(address, answer);
  }
}

/**
 * Keeps the pictures and PDF files that the kept pages link to, those of urgent tasks first. Deletes
 * files that the pages no longer show.
 */
async function keepFiles() {
  const owner = await readOwner();
  if (owner === undefined) return;
  const store = await caches.open(storePrefix + owner);
  const { pages = [] } = (await (await store.match(pagesAddress))?.json()) ?? {};
  const files = new Set();
  let room = allFilesBytesAtMost;
  for (const { address } of pages) {
    const html = (await (await store.match(address))?.text()) ?? "";
    const links = html.matchAll(/(?:src|href)="(\/files\/[^"]+)"(?: data-size="(\d+)")?/g);
    for (const [, file, size] of links) {
      const bytes = file.endsWith("/thumbnail") ? 0 : Number(size);
      if (!(bytes <= fileBytesAtMost && bytes <= room) || files.has(file)) continue;
      files.add(file);
      room -= bytes;
    }
  }
  for (const { url } of await store.keys()) {
    const { pathname } = new URL(url);
    if (isFile.test(pathname) && !files.has(pathname)) await store.delete(pathname);
  }
  for (const file of files) {
    if ((await store.match(file)) !== undefined) continue;
    await pause();
    const answer = await fetch(file, { redirect: "manual" });
    // Another person may have signed in meanwhile.
    if (!(await isOwn(answer, owner))) return;
    if (answer.ok) await store.put(file, answer);
  }
}

async function dropUnlisted(store, former, pages) {
  const listed = new Set(pages.map(({ address }) => address));
  for (const { address } of former) if (!listed.has(address)) await store.delete(address);
}

/** Keeps the newest copy of a kept page that the person opened. */
async function keepOpened(address, answer) {
  const owner = await readOwner();
  // The copy of the list has only the person's tasks.
  if (owner === undefined || answer?.ok !== true || address === "/tasks") return;
  if (!(await isOwn(answer, owner))) return;
  const store = await caches.open(storePrefix + owner);
  if ((await store.match(address)) !== undefined) await store.put(address, answer);
}

/** Replaces the copies of a changed task's pages. */
async function keepChanged(subject) {
  const store = await ownStore();
  for (const { url } of (await store?.keys()) ?? []) {
    const { pathname, search } = new URL(url);
    if (pathname !== subject && !pathname.startsWith(`${subject}/`)) continue;
    const address = pathname + search;
    const headers = { "fettle-copy": "1" };
    await keepOpened(address, await fetch(address, { redirect: "manual", headers }));
  }
}

/** Deletes other people's pages after the server reported another person, or no one. */
async function dropOthers({ headers }) {
  const person = headers.get(personHeader);
  if (self.cookieStore !== undefined) {
    const own = storePrefix + (await readOwner());
    await dropStores((name) => name !== own);
  } else if (person !== null) {
    await dropStores((name) => !name.startsWith(`${storePrefix}${person}.`));
  }
}

async function dropStores(isOther) {
  for (const name of await caches.keys()) if (isOther(name)) await caches.delete(name);
}

/* Answering without a network */

/** The first of the languages with texts. offline/worker.ts prepends them. */
function findTexts(tags = navigator.languages) {
  const languages = tags.map((tag) => tag.split("-", 1)[0].toLowerCase());
  const lang = languages.find((language) => Object.hasOwn(offlineTexts, language)) ?? "en";
  return { lang, words: offlineTexts[lang] };
}

function toPage(lang, { title, heading, text, home, waiting, again }) {
  const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{max-width:36rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}</style>
<h1>${heading}</h1><p>${text}</p><p><a href="">${again}</a></p>
<p><a href="/">${home}</a> · <a href="/offline">${waiting}</a></p>`;
  const headers = { "content-type": "text/html; charset=utf-8" };
  return new Response(html, { status: 503, headers });
}

const ownStore = async () => {
  const owner = await readOwner();
  return owner === undefined ? undefined : caches.open(storePrefix + owner);
};

/** A stored file or page. Each time a page is opened, its forms get new keys, as from the server. */
async function findKept(pathname, search = "") {
  const store = await ownStore();
  const find = (address) => store?.match(address, { ignoreVary: true });
  const kept = (await find(pathname + search)) ?? (await find(pathname));
  const { lang, words } = findTexts();
  if (kept === undefined) return toPage(lang, words);
  if (isFile.test(pathname)) return kept;
  const date = new Date(kept.headers.get("date") ?? Date.now()).toISOString();
  const html = (await kept.text())
    .replace("<html ", `<html data-saved-at="${date}" `)
    .replace(/(name="request_key" value=")[0-9a-z]{12}/g, (_, start) => start + createKey());
  const headers = new Headers(kept.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response(html, { headers });
}

async function findFile(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function findPicture(request) {
  return fetch(request).catch(
    async () =>
      (await (await ownStore())?.match(request, { ignoreVary: true })) ?? Response.error(),
  );
}

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== self.location.origin) return;
  const isOpened = request.mode === "navigate";
  if (request.method === "POST" && isOpened) {
    if (waitingForm.test(pathname)) {
      const answer = receive(event);
      event.respondWith(answer);
      event.waitUntil(answer.catch(() => {}));
    } else if (/^\/tasks\/[^/]+\/act$/.test(pathname)) {
      // A row's button can't wait, because it knows no version. The task's page has one that can.
      const opensTask = () => Response.redirect(subjectOf({ path: pathname }), 303);
      event.respondWith(fetch(request).catch(opensTask));
    }
  }
  if (request.method !== "GET") return;
  if (pathname.startsWith("/static/")) event.respondWith(findFile(request));
  else if (isFile.test(pathname) && !isOpened) event.respondWith(findPicture(request));
  if (!isOpened) return;
  const answer = fetch(request).then(async (response) => {
    await dropOthers(response).catch(() => {});
    return response;
  });
  event.respondWith(answer.catch(() => findKept(pathname, search)));
  // Files never change.
  if (search !== "" || isFile.test(pathname)) return;
  const copy = answer.then((response) => response.clone());
  event.waitUntil(copy.then((response) => keepOpened(pathname, response)).catch(() => undefined));
});

/** The pages ask through a port. Each answer contains what waits for the page's person. */
const actions = {
  keep: async () => (await keepOnce(keepPages)) && keepOnce(keepFiles),
  send,
  list: () => {},
  describe: ({ key, title, shown }) => void descriptions.set(key, { title, shown }),
  discard: ({ id }) => remove(id),
  again: async ({ id }) => {
    await change(id, { refused: undefined });
    await send();
  },
};

async function answerPage({ data, ports: [port] }) {
  const result = await actions[data.act](data);
  const own = (await findAll()).filter(({ person }) => person === data.person);
  const items = own.map((item) => ({ ...item, subject: subjectOf(item) }));
  // A page from before an update names no language.
  const { words } = findTexts(data.lang && [data.lang]);
  port?.postMessage({ result, problem, items, words: words.page });
}

self.addEventListener("message", (event) => {
  if (event.data?.act in actions) event.waitUntil(answerPage(event));
});

self.addEventListener("sync", (event) => {
  event.waitUntil(
    send().then(() => {
      if (problem === "offline" || problem === "busy") throw new Error(problem);
    }),
  );
});

/** A later message about the same subject replaces this one. */
self.addEventListener("push", (event) => {
  const { title, url } = event.data.json();
  const shown = self.registration.showNotification(title, { tag: url, icon, data: { url } });
  event.waitUntil(Promise.all([shown, navigator.setAppBadge?.()]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.url));
});
