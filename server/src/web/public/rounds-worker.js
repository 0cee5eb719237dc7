// Serves pages below /rounds/ while offline, from the cache of the person who was signed in last.
// Shows the server's messages for this browser, wherever its pages are.
const cookieName = "__Host-fettle-rounds";

/**
 * The first of the browser's languages with a page in `offlinePages`. rounds/worker.ts prepends
 * that constant.
 */
function findLanguage() {
  const languages = navigator.languages.map((tag) => tag.split("-", 1)[0].toLowerCase());
  return languages.find((language) => Object.hasOwn(offlinePages, language)) ?? "en";
}

function makeOffline(lang) {
  const { title, heading, text, again } = offlinePages[lang];
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
  const offline = makeOffline(findLanguage());
  return kept ?? new Response(offline, { status: 503, headers });
}

/** Deletes other people's caches after the server reported another person, or no one. */
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
