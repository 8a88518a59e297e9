/** <nine-share>: a link to copy, to send, or to read with a phone as a QR code. */

import { copyButton, drawn, make } from "../lib/dom.js";
import { qr } from "./qr-code.js";

const MARGIN = 4; // the standard's quiet zone
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const HERE_ONLY = "This link works on this computer only; start the server with --lan for other devices.";

export class NineShare extends HTMLElement {
  /**
   * @param {string} path of this server
   * @param {string} label
   */
  constructor(path = "", label = "") {
    super();
    if (path) this.show(path, label);
  }

  /** @param {string} path @param {string} label */
  show(path, label) {
    const link = new URL(path, location.origin).href;
    const field = make("input", { type: "text", readonly: true, value: link, "aria-label": label, class: "link" });
    field.addEventListener("focus", () => field.select());
    this.replaceChildren(
      make(
        "div",
        { class: "link-row" },
        field,
        copyButton("Copy link", () => link),
        this.#send(link),
      ),
      ...(LOOPBACK.test(location.hostname) ? [make("p", { class: "faint" }, HERE_ONLY)] : []),
      this.#code(link, label),
    );
  }

  /** @param {string} link */
  #send(link) {
    if (!navigator.share) return null;
    const send = () => navigator.share({ title: "Ninefold", url: link }).catch(() => {});
    return make("button", { type: "button", class: "quiet", onclick: send }, "Send");
  }

  /** @param {string} link @param {string} label */
  #code(link, label) {
    const { rows } = qr(link);
    const size = rows.length + 2 * MARGIN;
    const dark = rows.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])));
    return drawn(
      "svg",
      {
        class: "qr",
        viewBox: `0 0 ${size} ${size}`,
        role: "img",
        "aria-label": `QR code: ${label}`,
        "shape-rendering": "crispEdges",
      },
      drawn("rect", { width: size, height: size, class: "qr-light" }),
      drawn("path", { d: dark.join(""), class: "qr-dark" }),
    );
  }
}

customElements.define("nine-share", NineShare);
