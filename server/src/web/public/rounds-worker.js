// Answers below /rounds/ while there is no network, with what the page has kept for who was signed in last.
const cookieName = "__Host-fettle-rounds";

const offline = `<!doctype html><html lang="en"><meta charset="utf-8"><title>No network</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{max-width:36rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}</style>
<h1>There is no network</h1><p>What you have scanned is kept on this device, and sent when you open the
page of a round again with a network.</p><p><a href="">Try again</a></p>`;

async function findKept(address) {
  const cookie = await self.cookieStore?.get(cookieName);
  const cache = cookie && (await caches.open(`rounds-${cookie.value}`));
  const kept = await cache?.match(address, { ignoreVary: true });
  const headers = { "content-type": "text/html; charset=utf-8" };
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
