// Stores scans of a round on this device before anything else, and sends them when possible. The
// server stores a scan once, however often it is sent. Only confirmed scans are deleted here.
const area = document.querySelector(".waiting");
const { person, round } = area.dataset;
const [state, signIn, codes, drop] = ["state", "sign-in", "codes", "drop"].map((name) =>
  area.querySelector(`[data-waiting=${name}]`),
);
const field = document.querySelector("form.scanner input[name=code]");
const says = document.querySelector(".camera [role=status]");

/** The maximum number of scans per request. */
const atOnce = 20;
const againMs = 15_000;

let token = document.querySelector("input[name=_csrf]").value;
const organization = document.querySelector("input[name=_organization]")?.value ?? "";
/** The store of pages. See `worker.js`. */
const own = `offline-${person}.${organization}`;
/** The reason that scans wait: offline, busy, signedOut, other; or "" while they are being sent. */
let problem = "";

const opened = new Promise((done, fail) => {
  const request = indexedDB.open("fettle-rounds", 1);
  request.onupgradeneeded = () => {
    const scans = request.result.createObjectStore("scans", { keyPath: "id" });
    scans.createIndex("person", "person");
  };
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

/** Resolves when the data is on the disk. */
async function withScans(mode, work) {
  const transaction = (await opened).transaction("scans", mode, { durability: "strict" });
  const request = work(transaction.objectStore("scans"));
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request?.result);
    transaction.onabort = () => fail(transaction.error);
  });
}

/** Never the scans of another person who used this browser. */
function findWaiting() {
  return withScans("readonly", (scans) => scans.index("person").getAll(person));
}

function createId() {
  const numbers = crypto.getRandomValues(new Uint8Array(26));
  return Array.from(numbers, (number) => (number % 32).toString(32)).join("");
}

/** The server refuses a code that is longer than the field, so its end isn't needed. */
async function keep(text) {
  const code = text.slice(0, field.maxLength + 1);
  const scan = { id: createId(), person, organization, round, code, at: Date.now() };
  await withScans("readwrite", (scans) => scans.add(scan));
}

function toBody(scans) {
  const [{ organization: _organization }] = scans;
  const sent = scans.map(({ id, code, at }) => ({
    ...{ id, code, seconds_ago: Math.max(0, Math.round((Date.now() - at) / 1000)) },
  }));
  return new URLSearchParams({
    ...{ _csrf: token, _organization, person, scans: JSON.stringify(sent) },
  });
}

/**
 * Gets a new token. Returns "" if this page's person is still signed in, or else the reason to
 * wait.
 */
async function renewToken() {
  const answer = await fetch("/rounds", { redirect: "manual" });
  if (answer.type === "opaqueredirect") return "signedOut";
  if (!answer.ok) return "busy";
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (fresh.querySelector(".waiting")?.dataset.person !== person) return "other";
  token = fresh.querySelector("input[name=_csrf]").value;
  return "";
}

/** Posts scans of one round. Returns the server's response, or the reason that the scans wait. */
async function post(id, scans, isAgain = false) {
  const answer = await fetch(`/rounds/${id}/queue`, {
    ...{ method: "POST", redirect: "manual", body: toBody(scans) },
    headers: { accept: "application/json" },
  });
  if (answer.type === "opaqueredirect") return "signedOut";
  if (answer.ok) return answer.json();
  if (answer.status === 409 || answer.status === 429 || answer.status >= 500) return "busy";
  if (answer.status === 403 && !isAgain) {
    const found = await renewToken();
    return found === "" ? post(id, scans, true) : found;
  }
  const { message = String(answer.status) } = await answer.json().catch(() => ({}));
  return { stored: [], refused: scans.map((scan) => ({ id: scan.id, text: message })) };
}

async function settle(scans, { stored, refused }) {
  const texts = new Map(refused.map(({ id, text }) => [id, text]));
  await withScans("readwrite", (store) => {
    for (const { id } of stored) store.delete(id);
    for (const scan of scans.filter(({ id }) => texts.has(id))) {
      store.put({ ...scan, refused: texts.get(scan.id) });
    }
  });
  const last = stored.at(-1);
  if (last !== undefined && says !== null) says.textContent = last.text;
  return stored.length > 0;
}

/**
 * Returns true if anything was stored. Retries refused scans when a page opens, because permissions
 * may have changed.
 */
async function sendAll(isOpening) {
  const waiting = (await findWaiting()).filter(({ refused }) => isOpening || refused === undefined);
  waiting.sort((one, other) => one.at - other.at);
  let isStored = false;
  for (const id of new Set(waiting.map((scan) => scan.round))) {
    const scans = waiting.filter((scan) => scan.round === id);
    while (scans.length > 0) {
      const some = scans.splice(0, atOnce);
      const answer = await post(id, some).catch(() => "offline");
      problem = typeof answer === "string" ? answer : "";
      if (problem !== "") return isStored;
      isStored = (await settle(some, answer)) || isStored;
    }
  }
  return isStored;
}

let isSending = false;
let isWanted = false;

/** Sends one batch after another. Scans that arrive meanwhile are sent afterwards. */
async function send({ isOpening = false } = {}) {
  isWanted = true;
  if (isSending) return;
  isSending = true;
  try {
    while (isWanted) {
      isWanted = false;
      if (await sendAll(isOpening)) await refresh();
    }
  } finally {
    isSending = false;
    await show();
  }
}

/** Loads the current page, shows it and stores it for offline use. */
async function refresh({ isShown = true } = {}) {
  if (round === "") return;
  const answer = await fetch(location.pathname, { redirect: "manual" }).catch(() => undefined);
  if (answer?.ok !== true) return;
  const kept = answer.clone();
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (fresh.querySelector(".waiting")?.dataset.person !== person) return;
  token = fresh.querySelector("input[name=_csrf]").value;
  if (isShown) {
    document.getElementById("found").replaceWith(fresh.getElementById("found"));
  }
  const cache = await globalThis.caches?.open(own);
  await cache?.put(location.pathname, kept);
}

/** Only the signed-in person's data stays in this browser. */
async function keepPage() {
  if (!("serviceWorker" in navigator) || round === "") return;
  await navigator.serviceWorker.register("/worker.js");
  for (const name of await caches.keys()) if (name !== own) await caches.delete(name);
  const files = [...document.querySelectorAll("link[href^='/static/'], script[src]")];
  const cache = await caches.open(own);
  await cache.addAll([
    ...files.map((file) => file.href ?? file.src),
    ...("BarcodeDetector" in window ? [] : JSON.parse(area.dataset.keeps)),
  ]);
  await refresh({ isShown: false });
}

/** Returns a code as the page knows it. The code may be a label's address. */
function toKnown(code) {
  return (/\/q\/([0-9a-z]{12})\/?$/i.exec(code)?.[1] ?? code).toLowerCase();
}

/** Marks the rows of scans that wait to be sent. */
function mark(waiting) {
  const known = new Set(
    waiting.filter((scan) => scan.round === round).map((scan) => toKnown(scan.code)),
  );
  for (const row of document.querySelectorAll("[data-codes]")) {
    const isNoted = JSON.parse(row.dataset.codes).some((code) => known.has(code));
    if (isNoted === row.classList.contains("noted")) continue;
    row.classList.toggle("noted", isNoted);
    row.querySelector(".noted-mark")?.remove();
    if (!isNoted) continue;
    const note = document.createElement("span");
    note.className = "noted-mark";
    note.textContent = area.dataset.mark;
    row.append(note);
  }
}

async function show() {
  const waiting = await findWaiting();
  const { dataset } = area;
  const refused = waiting.filter((scan) => scan.refused !== undefined);
  const count = waiting.length - refused.length;
  const words = count === 1 ? dataset.one : dataset.many.replace("{n}", count);
  const text = count === 0 ? "" : `${words} ${dataset[problem === "" ? "sending" : problem]}`;
  if (state.textContent !== text) state.textContent = text;
  area.hidden = waiting.length === 0;
  signIn.hidden = problem !== "signedOut" && problem !== "other";
  drop.hidden = refused.length === 0;
  codes.replaceChildren(
    ...refused.map((scan) => {
      const item = document.createElement("li");
      item.textContent = `${dataset.refused} ${scan.code}. ${scan.refused}`;
      return item;
    }),
  );
  mark(waiting);
}

async function take(form) {
  const code = field.value.trim();
  field.value = "";
  // Not while the camera is on, because phones would open their keyboard over it.
  if (document.querySelector(".viewfinder")?.hidden !== false) field.focus();
  try {
    await keep(code);
  } catch {
    // There is no room to store it. The server responds, as without a script.
    field.value = code;
    form.submit();
    return;
  }
  if (says !== null) says.textContent = area.dataset.noted.replace("{code}", () => code);
  // Browsers that are short of room spare sites that request persistence. One browser asks the
  // person.
  if (problem === "offline") void navigator.storage?.persist?.();
  await show();
  await send();
}

field?.form.addEventListener("submit", (event) => {
  if (round === "" || field.value.trim() === "") return;
  event.preventDefault();
  void take(field.form);
});

drop.addEventListener("click", async () => {
  const refused = (await findWaiting()).filter((scan) => scan.refused !== undefined);
  await withScans("readwrite", (scans) => {
    for (const { id } of refused) scans.delete(id);
  });
  await show();
});

addEventListener("online", () => send());
document.addEventListener("visibilitychange", () => document.hidden || send());
setInterval(async () => {
  if ((await findWaiting()).some((scan) => scan.refused === undefined)) await send();
}, againMs);

await Promise.allSettled([show().then(() => send({ isOpening: true })), keepPage()]);
