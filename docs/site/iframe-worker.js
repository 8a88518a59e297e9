// Browsers start no worker for a page that was opened from the disk. The search then runs its script in a frame of its own.
if (location.protocol === "file:") {
  window.Worker = class {
    onmessage = null;
    onerror = null;
    onmessageerror = null;
    #frame = document.createElement("iframe");

    constructor(url) {
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const inside = this.#frame.contentWindow;
      inside.postMessage = (message) => {
        const data = structuredClone(message); // as between threads: nobody changes what the other holds
        setTimeout(() => this.onmessage?.({ data }));
      };
      this.#loaded = new Promise((resolve) => {
        const script = inside.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = (event) => this.onerror?.(event);
        inside.document.head.append(script);
      });
    }

    #loaded;

    postMessage(message) {
      const data = structuredClone(message);
      this.#loaded.then(() => this.#frame.contentWindow?.onmessage?.({ data }));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
