// Keeps what is scanned in a round on this device, before anything else, and sends it when it can.
// The server stores a scan once, however often it comes; only what it has confirmed is forgotten here.
const area = document.querySelector(".waiting");
const { person, round } = area.dataset;
const [state, signIn, codes, drop] = ["state", "sign-in", "codes", "drop"].map((name) =>
  area.querySelector(`[data-waiting=${name}]`),
);
const field = document.querySelector("form.scanner input[name=code]");
const says = document.querySelector(".camera [role=status]");

/** The server takes so many at once. */
const atOnce = 20;
const againMs = 15_000;

let token = document.querySelector("input[name=_csrf]").value;
const organization = document.querySelector("input[name=_organization]")?.value ?? "";
/** Why something waits: offline, busy, signedOut, other; or "" while it is being sent. */
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

/** Done when it is on the disk. */
async function withScans(mode, work) {
  const transaction = (await opened).transaction("scans", mode, { durability: "strict" });
  const request = work(transaction.objectStore("scans"));
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request?.result);
    transaction.onabort = () => fail(transaction.error);
  });
}

/** Never those of somebody else who used this browser. */
function findWaiting() {
  return withScans("readonly", (scans) => scans.index("person").getAll(person));
}

function createId() {
  const numbers = crypto.getRandomValues(new Uint8Array(26));
  return Array.from(numbers, (number) => (number % 32).toString(32)).join("");
}

/** Longer codes than the field takes are refused one by one, so their ends need not be sent. */
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

/** Takes a token of whoever is signed in by now; "" when that is still the person of this page. */
async function renewToken() {
  const answer = await fetch("/rounds", { redirect: "manual" });
  if (answer.type === "opaqueredirect") return "signedOut";
  if (!answer.ok) return "busy";
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (fresh.querySelector(".waiting")?.dataset.person !== person) return "other";
  token = fresh.querySelector("input[name=_csrf]").value;
  return "";
}

/** What the server says of scans of one round: an object, or why they go on waiting. */
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

/** Whether anything was stored. What was refused is tried again when a page opens: rights may have changed. */
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

/** One after the other; what comes meanwhile is sent after it. */
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

/** The page as it is by now: shown, and kept for when there is no network. */
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
  const cache = await globalThis.caches?.open(`rounds-${person}`);
  await cache?.put(location.pathname, kept);
}

/** Only what belongs to who is signed in stays in this browser. */
async function keepPage() {
  if (!("serviceWorker" in navigator) || round === "") return;
  await navigator.serviceWorker.register("/rounds/worker.js");
  const own = `rounds-${person}`;
  for (const name of await caches.keys()) if (name !== own) await caches.delete(name);
  const files = [...document.querySelectorAll("link[href^='/static/'], script[src]")];
  const cache = await caches.open(own);
  await cache.addAll([
    ...files.map((file) => file.href ?? file.src),
    ...("BarcodeDetector" in window ? [] : JSON.parse(area.dataset.keeps)),
  ]);
  await refresh({ isShown: false });
}

/** What a code is called on the page: it may be the address of a label. */
function toKnown(code) {
  return (/\/q\/([0-9a-z]{12})\/?$/i.exec(code)?.[1] ?? code).toLowerCase();
}

/** Rows of what waits to be sent say so. */
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
  // Not while the camera looks: phones would open their keyboard over it.
  if (document.querySelector(".viewfinder")?.hidden !== false) field.focus();
  try {
    await keep(code);
  } catch {
    // No room to keep it: as without a script, the server answers.
    field.value = code;
    form.submit();
    return;
  }
  if (says !== null) says.textContent = area.dataset.noted.replace("{code}", () => code);
  // Browsers that are short of room spare what asked for it; one of them asks the person.
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
