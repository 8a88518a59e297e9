/** <nine-share>: a link to copy, to send, or to scan as a QR code. */

import { button, copyButton, html, svg } from "../lib/dom.js";
import { text } from "../lib/messages.js";
import { createQrCode } from "./qr-code.js";

const QUIET_ZONE = 4; // modules around the code, as the standard demands
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export class ShareLink extends HTMLElement {
  /**
   * @param {string} path on this server
   * @param {string} label
   */
  constructor(path = "", label = "") {
    super();
    if (path) this.#show(new URL(path, location.origin).href, label);
  }

  /** @param {string} link @param {string} label */
  #show(link, label) {
    const field = html("input", { type: "text", readonly: true, value: link, "aria-label": label, class: "link" });
    field.addEventListener("focus", () => field.select());
    const copy = copyButton(text("share.copy"), () => link);
    this.append(html("div", { class: "link-row" }, field, copy, sendButton(link)));
    if (LOOPBACK.test(location.hostname)) this.append(html("p", { class: "faint" }, text("share.loopback")));
    this.append(qrImage(link, label));
  }
}

/** A button for the device's own way to share; null if it has none. @param {string} link */
function sendButton(link) {
  if (!navigator.share) return null;
  const send = () => navigator.share({ title: "Ninefold", url: link }).catch(() => {});
  return button(text("share.send"), { class: "quiet", onclick: send });
}

/** @param {string} link @param {string} label */
function qrImage(link, label) {
  const { rows } = createQrCode(link);
  const size = rows.length + 2 * QUIET_ZONE;
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])),
  );
  return svg(
    "svg",
    {
      class: "qr",
      viewBox: `0 0 ${size} ${size}`,
      role: "img",
      "aria-label": text("share.qr_code", { label }),
      "shape-rendering": "crispEdges",
    },
    svg("rect", { width: size, height: size, class: "qr-light" }),
    svg("path", { d: dark.join(""), class: "qr-dark" }),
  );
}

customElements.define("nine-share", ShareLink);
