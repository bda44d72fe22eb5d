// The book on the device: the service worker (sw.js), the manifest that makes it installable, and the notice of a new
// version. From the file system, or where the browser keeps nothing, none of it is there and nothing is said.
globalThis.bookInstalled = (() => {
  "use strict";
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  const usable = () => {
    try {
      return /^https?:$/.test(location.protocol) && isSecureContext && Boolean(navigator.serviceWorker && globalThis.caches);
    } catch {
      return false; // refused in some private windows and frames
    }
  };
  if (!usable()) return null;
  const workers = navigator.serviceWorker, early = !workers.controller;

  // By script: from the file system a browser would refuse the manifest, and say so.
  const linked = (rel, name) => document.head.append(Object.assign(document.createElement("link"), { rel, href: new URL(name, root) }));
  linked("manifest", "book.webmanifest");
  linked("apple-touch-icon", "_static/icon-192.png");

  const ask = (worker, message) => new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: { value, error } }) => (error ? reject(new Error(error)) : resolve(value));
    worker.postMessage(message, [port2]);
  });

  // A new version is whole and waits. Where this page is the only one and has just been opened, it is shown at once;
  // else the reader says when: other pages of the book, where something may be half typed, load anew with this one.
  const offer = async (registration, opened) => {
    const worker = registration.waiting;
    if (!worker) return;
    const { same, pages } = await ask(worker, { ask: "look" });
    if (opened && pages < 2) return ask(worker, { ask: "show" });
    if (same || document.querySelector(".new-version")) return;
    const notice = Object.assign(document.createElement("div"), { className: "new-version" }), text = document.createElement("span");
    notice.setAttribute("role", "status");
    document.body.append(notice);
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Show it" });
    const later = Object.assign(document.createElement("button"), { type: "button", textContent: "Later" });
    button.onclick = () => ask(registration.waiting || worker, { ask: "show" });
    later.onclick = () => notice.remove();
    text.textContent = `A new version of the book is here.${pages > 1 ? " Its other open pages load anew, too." : ""}`;
    notice.append(text, button, later);
  };

  const watch = (registration) => {
    const look = (opened) => offer(registration, opened).catch(() => {}); // a worker may give up meanwhile
    const follow = () => registration.installing?.addEventListener("statechange", ({ target }) => {
      if (target.state === "installed" && registration.active) setTimeout(look, 1000, false); // it may take over by itself
    });
    look(true);
    follow();
    registration.addEventListener("updatefound", follow);
  };

  // The worker did not see the first page load: it is told.
  const tell = ({ active }) => {
    const addresses = [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)];
    return ask(active, { ask: "seen", addresses });
  };

  // The first worker gives up when a file does not come; the next page that is opened tries again.
  const givenUp = ({ installing, active }) => new Promise((resolve) => {
    if (!active) installing?.addEventListener("statechange", () => { if (installing.state === "redundant") resolve(null); });
  });

  workers.addEventListener("message", ({ data }) => { if (data === "load anew") location.reload(); });
  const registered = new Promise((resolve) => {
    const register = () => workers.register(new URL("sw.js", root), { updateViaCache: "none" });
    const begin = () => resolve(register().then((registration) => {
      watch(registration);
      return Promise.race([workers.ready, givenUp(registration)]);
    }).catch(() => null));
    if (document.readyState === "complete") begin();
    else addEventListener("load", begin); // what the reader looks at comes first
  });
  if (early) registered.then((registration) => registration && tell(registration)).catch(() => {});
  return { ask: async (message) => ask((await registered).active, message), registered };
})();
