// Answers below /rounds/ while there is no network, with what the page has kept for who was signed in last.
const cookieName = "__Host-fettle-rounds";

const english = {
  lang: "en",
  title: "No network",
  heading: "There is no network",
  text: `What you have scanned is kept on this device, and sent when you open the
page of a round again with a network.`,
  again: "Try again",
};

const german = {
  lang: "de",
  title: "Kein Netz",
  heading: "Es gibt kein Netz",
  text: `Was Sie gescannt haben, bleibt auf diesem Gerät erhalten und wird gesendet, wenn Sie die
Seite eines Rundgangs wieder mit Netz öffnen.`,
  again: "Noch einmal versuchen",
};

function makeOffline({ lang, title, heading, text, again }) {
  return `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{max-width:36rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}</style>
<h1>${heading}</h1><p>${text}</p><p><a href="">${again}</a></p>`;
}

async function findKept(address) {
  const cookie = await self.cookieStore?.get(cookieName);
  const cache = cookie && (await caches.open(`rounds-${cookie.value}`));
  const kept = await cache?.match(address, { ignoreVary: true });
  const headers = { "content-type": "text/html; charset=utf-8" };
  const offline = makeOffline(/^de\b/i.test(navigator.language) ? german : english);
  return kept ?? new Response(offline, { status: 503, headers });
}

/** What others have kept goes when the server has said that nobody is signed in, or somebody else. */
async function dropOthers() {
  if (self.cookieStore === undefined) return;
  const own = `rounds-${(await self.cookieStore.get(cookieName))?.value}`;
  for (const name of await caches.keys()) if (name !== own) await caches.delete(name);
}

async function findFile(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (pathname.startsWith("/static/")) event.respondWith(findFile(request));
  if (request.mode !== "navigate") return;
  const answer = fetch(request);
  event.respondWith(answer.catch(() => findKept(pathname)));
  event.waitUntil(answer.then(dropOthers, () => undefined));
});
