// Keeps the files of this site's version, so that it opens without a network; those of former versions are dropped.
const KEPT = 'VERSION';

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((one) => one !== KEPT).map((one) => caches.delete(one)))));
});

// A first visit is not slowed down: its page loads without this worker, and says at the end what it has loaded.
self.addEventListener('message', (event) => {
  const wanted = [...new Set(event.data)].filter((one) => one.startsWith(self.registration.scope));
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(wanted)));
});

// Versioned files never change; the others come from the network while there is one.
async function answer(request) {
  const cache = await caches.open(KEPT);
  const isFixed = new URL(request.url).pathname.includes(`/${KEPT}/`);
  const kept = await cache.match(request, {ignoreSearch: true});
  if (kept && isFixed) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone()).catch(() => {}); // without room here, it is loaded again next time
    return fresh;
  } catch (problem) {
    if (kept) return kept;
    throw problem;
  }
}

self.addEventListener('fetch', (event) => {
  const {method, url} = event.request;
  if (method === 'GET' && url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});
