// The page "Keep the book on this device": one line for each part, with its size, a button and how far it is. The
// service worker stores the files; this page asks for some at a time, so that it can say how many have come.
(() => {
  "use strict";
  const host = document.querySelector(".keep-parts"), device = globalThis.bookInstalled;
  if (!host || !device) return; // what stands there says why
  const AT_ONCE = 12; // files
  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...children);
    return made;
  };
  const size = (bytes) => (bytes < 1e6 ? "less than 1 MB" : `${Math.round(bytes / 1e6)} MB`);

  const roomFor = async (bytes) => {
    const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) || {};
    return bytes < quota - usage;
  };

  class Part {
    constructor({ name, title, bytes, files, kept }) {
      Object.assign(this, { name, title, bytes, files });
      this.button = element("button", { type: "button" });
      this.button.onclick = () => this.press();
      this.bar = element("progress", { max: files, "aria-label": `${title}: files that have come` });
      this.said = element("span", { role: "status" });
      this.element = element("li", {}, element("span", { class: "keep-title" }, title), element("span", { class: "keep-size" }, size(bytes)), this.button, this.bar, this.said);
      this.show(kept);
    }

    show(kept, sentence = kept ? "Kept: it opens without a network." : "") {
      this.kept = kept;
      const keep = this.name === "practice" ? "Keep these" : "Keep this part";
      this.button.textContent = kept ? "Remove" : keep;
      this.button.setAttribute("aria-label", kept ? `Remove: ${this.title}` : `${keep}: ${this.title}, ${size(this.bytes)}`);
      this.element.classList.toggle("kept", kept);
      this.bar.hidden = true;
      this.said.textContent = sentence;
    }

    async press() {
      if (this.busy) return; // not disabled: the keyboard would lose its place
      this.busy = true;
      await (this.kept ? this.remove() : this.fetch()).catch(() => this.show(this.kept, this.kept ? "It could not be removed." : `Stopped after ${this.bar.value} of ${this.files} files, and not kept. Press again to go on from there.`));
      this.busy = false;
    }

    async fetch() {
      if (!(await roomFor(this.bytes))) return this.show(false, "There is not enough room on this device.");
      await navigator.storage?.persist?.().catch(() => {}); // a browser short of room then takes others first
      this.bar.value = 0;
      this.bar.hidden = false;
      this.said.textContent = `Fetching ${this.files} files…`;
      for (let from = 0; from < this.files; from += AT_ONCE) {
        await device.ask({ ask: "store", part: this.name, from, to: from + AT_ONCE });
        this.bar.value = Math.min(from + AT_ONCE, this.files);
      }
      await device.ask({ ask: "finish", part: this.name });
      return this.show(true);
    }

    async remove() {
      await device.ask({ ask: "remove", part: this.name });
      this.show(false, "Removed.");
    }
  }

  const wait = element("p", { role: "status" }, "The book is being set up on this device…");
  host.replaceChildren(wait);
  device.registered.then(async (registration) => {
    if (!registration) throw new Error("no worker");
    const parts = await device.ask({ ask: "parts" });
    host.replaceChildren(element("ul", { class: "keep-list" }, ...parts.map((part) => new Part(part).element)));
    host.dataset.ready = "";
  }).catch(() => { wait.textContent = "The book could not be set up on this device: the browser refuses it, or the server did not send all of it."; });
})();
