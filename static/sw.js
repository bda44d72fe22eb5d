// The service worker: the book works with the server gone. The build sets it at the root of the site, with its version.
//
// What is decided:
// * A file is kept under its path and the digest of its bytes, and a worker asks for no file but those that its own
//   version lists. So nothing of one version is ever served with another, whatever else is kept beside it.
// * A worker takes over when its version is whole: the core (Workbox's precache), the words of the search and every part
//   that the reader has kept. Until then, and if one file fails, the version before it serves as it did. Files that did
//   not change are not fetched again, nor those that a failed attempt has brought. What no version lists any more goes
//   when the new one takes over; pages that were only seen and have changed go with it.
// * What is kept comes from there without a look at the server, which may be gone and let one wait. While a page comes
//   from the server, its version is asked for: if it is another one, this page gets all it needs from the server, and
//   none of it is kept. A file of another version for a page of this one is refused.
// * On the author's own machine the server is asked first, since it answers or refuses at once: a book that was built
//   again is seen at the next load, and another site at the same address is not hidden by this one.
"use strict";
const VERSION = "";
importScripts(`book-files.js?v=${VERSION}`);
importScripts(...["core", "routing", "strategies", "precaching", "range-requests"].map((name) => `_static/workbox/workbox-${name}-7.4.1.js`));
if (bookFiles.version !== VERSION) throw new Error("the server is changing the book");

const { scope } = self.registration, LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(self.location.hostname);
const STORE = `book-store-${scope}`, NOTES = `book-notes-${scope}`; // of this book alone: its host may have others
const AT_ONCE = 6, PATIENCE = 3000;
const files = new Map(bookFiles.files);

const core = new workbox.precaching.PrecacheController();
core.addToCacheList(bookFiles.core.map(([url, integrity]) => ({ url, integrity, revision: files.get(url) })));

// --- files ----------------------------------------------------------------------------------------------------------

const pathOf = (url) => decodeURI(url.href.split(/[?#]/)[0].slice(scope.length)) || bookFiles.first;
const keyOf = (path) => `${new URL(encodeURI(path), scope)}?book=${files.get(path)}`;
const store = () => caches.open(STORE);
const stored = async (path) => (await core.matchPrecache(encodeURI(path))) || (await store()).match(keyOf(path));

const digest = async (bytes) =>
  [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Keep a response if it is the file of this version; returns what is then served.
const keep = async (path, response) => {
  const bytes = response.ok && (await response.arrayBuffer());
  if (!bytes || (await digest(bytes)) !== files.get(path)) return undefined;
  const clean = new Response(bytes, { headers: { "Content-Type": response.headers.get("Content-Type") || "" } });
  await (await store()).put(keyOf(path), clean.clone()).catch(() => {}); // no room: it is served all the same
  return clean;
};

// The file of this version: kept, or from the server. The browser's own cache may have an older one: asked once more.
const obtain = async (path) => {
  const address = new URL(encodeURI(path), scope), known = await stored(path);
  const found = known || (await keep(path, await fetch(address))) || (await keep(path, await fetch(address, { cache: "reload" })));
  if (!found) throw new Error(`${path} is not of this version`);
  return found;
};

// Some at a time; the first that fails ends it. Room is needed here: what was not kept counts as failed.
const obtainAll = async (paths) => {
  const open = [...paths];
  const work = async () => {
    while (open.length) {
      const path = open.shift();
      await obtain(path);
      if (!(await stored(path))) throw new Error(`no room for ${path}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

// --- notes: which parts are kept, and which pages are of another version ----------------------------------------------

const read = async (name, otherwise) => {
  const found = await (await caches.open(NOTES)).match(new URL(name, scope));
  return found ? found.json() : otherwise;
};
const write = async (name, value) => (await caches.open(NOTES)).put(new URL(name, scope), new Response(JSON.stringify(value)));

const pathsOf = (name) => bookFiles.parts[name].paths.map((number) => bookFiles.files[number][0]);
const keptParts = async () => (await read("kept", [])).filter((name) => name in bookFiles.parts);
const words = () => [...files.keys()].filter((path) => path.startsWith("_static/search/words-"));
const neededFiles = async () => [...words(), ...(await keptParts()).flatMap(pathsOf)];

const pages = async () => (await self.clients.matchAll({ type: "window", includeUncontrolled: true })).filter(({ url }) => url.startsWith(scope));

let strangers; // by client, the version that it is of: a worker may be ended and started at any time
const strangerOf = async (id) => (await (strangers ||= read("strangers", {})))[id];
const estrange = async (id, version) => {
  const known = await (strangers ||= read("strangers", {})), open = new Set((await self.clients.matchAll()).map((client) => client.id));
  Object.keys(known).filter((old) => !open.has(old)).forEach((old) => delete known[old]);
  known[id] = version;
  await write("strangers", known);
};

// --- what a page asks for -------------------------------------------------------------------------------------------

// The version that the server has; "none" if this book is not there, nothing if there is no answer.
const serverVersion = async () => {
  try {
    const answer = await fetch(new URL("book-version.txt", scope), { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? (await answer.text()).trim() : "none";
  } catch {
    return undefined;
  }
};
const differs = (version) => version && version !== VERSION;

const fresh = (request) => fetch(request, { cache: "no-cache" }); // the browser's own cache may have another version

const fromServer = async ({ request, event }, version) => {
  if (version === "none") await self.registration.unregister();
  await estrange(event.resultingClientId, version);
  return fresh(request);
};

// A page: as soon as its first bytes come, if it is not kept.
const opened = async (asked) => {
  const { request, event, url } = asked, path = pathOf(url);
  const local = LOCAL && (await serverVersion());
  if (differs(local)) return fromServer(asked, local);
  const known = await stored(path);
  if (known) return known;
  const [response, version] = await Promise.all([fresh(request), serverVersion()]);
  if (differs(version)) await estrange(event.resultingClientId, version);
  else if (response.ok) event.waitUntil(keep(path, response.clone()));
  return response;
};

const asset = async ({ request, event, url }) => {
  if (await strangerOf(event.clientId)) return fresh(request);
  const response = await obtain(pathOf(url)).catch((error) => { self.registration.update().catch(() => {}); throw error; });
  return request.headers.has("range") ? workbox.rangeRequests.createPartialResponse(request, response) : response;
};

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const absent = (url) => new Response(
  `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>This page is not on this device</title>
<style>:root { color-scheme: light dark } body { font: 1.1rem/1.5 sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem }</style>
<h1>This page is not on this device</h1>
<p>The server of the book does not answer. Pages that you have seen, the search and the parts that you have kept are here.</p>
<p><a href="${escaped(scope)}">The first page</a> · <a href="${escaped(scope + bookFiles.keep)}">What is kept</a> · <a href="${escaped(url.href)}">Try again</a></p></html>`,
  { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } }
);

const ours = (url) => url.href.startsWith(scope);
const opens = (request) => request.mode === "navigate";
workbox.routing.registerRoute(({ url, request }) => ours(url) && opens(request) && files.has(pathOf(url)), (asked) => opened(asked).catch(() => absent(asked.url)));
workbox.routing.registerRoute(({ url, request }) => ours(url) && !opens(request) && files.has(pathOf(url)), asset);
workbox.routing.registerRoute(({ url, request }) => ours(url) && opens(request), ({ request, url }) => fetch(request).catch(() => absent(url)));

// --- one version after the other ------------------------------------------------------------------------------------

const install = async (event) => {
  const first = !self.registration.active;
  await core.install(event);
  await obtainAll(await neededFiles());
  // pages that came from the server are of this version already: nobody need be asked
  const known = await read("strangers", {});
  if (!first && (await pages()).every(({ id }) => known[id] === VERSION)) await self.skipWaiting();
};

const tidy = async () => {
  const cache = await store(), listed = new Set([...files.keys()].map(keyOf));
  for (const { url } of await cache.keys()) if (!listed.has(url)) await cache.delete(url);
};

const activate = async (event) => {
  const before = await self.clients.matchAll(); // pages of the version before: they load anew, all of them
  await core.activate(event);
  await tidy();
  for (const page of before) if ((await strangerOf(page.id)) !== VERSION) page.postMessage("load anew");
  strangers = Promise.resolve({});
  await write("strangers", {});
  await self.clients.claim();
};

self.addEventListener("install", (event) => event.waitUntil(install(event)));
self.addEventListener("activate", (event) => event.waitUntil(activate(event)));

// --- what the scripts of the pages say (installed.js, keep.js) --------------------------------------------------------

const told = {
  // the page that was there before the worker, and what it has loaded
  seen: async ({ addresses }) => {
    const paths = addresses.map((address) => new URL(address)).filter(ours).map(pathOf).filter((path) => files.has(path));
    await Promise.allSettled(paths.map(obtain));
  },
  // a new version waits: is the page that asks of it already, and are there others?
  look: async (_, source) => ({ same: (await read("strangers", {}))[source.id] === VERSION, pages: (await pages()).length }),
  show: () => self.skipWaiting(),
  parts: async () => {
    const kept = await keptParts();
    return Object.entries(bookFiles.parts).map(([name, { title, bytes, paths }]) => ({ name, title, bytes, files: paths.length, kept: kept.includes(name) }));
  },
  // some files of a part; the page asks for the next ones, since a worker is not given time for all of them
  store: async ({ part, from, to }) => obtainAll(pathsOf(part).slice(from, to)),
  // only what is there to the last file is marked
  finish: async ({ part }) => {
    for (const path of pathsOf(part)) if (!(await stored(path))) throw new Error(`${path} is missing`);
    await write("kept", [...new Set([...(await read("kept", [])), part])]);
  },
  remove: async ({ part }) => {
    await write("kept", (await read("kept", [])).filter((name) => name !== part));
    const cache = await store(), needed = new Set(await neededFiles());
    for (const path of pathsOf(part)) if (!needed.has(path)) await cache.delete(keyOf(path));
  },
};

self.addEventListener("message", (event) => {
  const { data, source, ports: [port] } = event;
  const done = Promise.resolve().then(() => told[data.ask](data, source));
  event.waitUntil(done.then((value) => port.postMessage({ value }), (error) => port.postMessage({ error: String(error) })));
});
