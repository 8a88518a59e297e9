/**
 * Applies the theme, the style of the boards and their labels. A plain script in the head of every page, so that no page
 * is first drawn in the wrong theme; settings.js sends it what was changed.
 */
(() => {
  /** @param {{theme?: string, board?: string, labels?: boolean}} settings */
  function apply({ theme = "auto", board = "tiles", labels = false }) {
    Object.assign(document.documentElement.dataset, { theme, board, labels: labels ? "on" : "off" });
  }

  function stored() {
    try {
      return JSON.parse(localStorage.getItem("ninefold:settings") ?? "{}");
    } catch {
      return {}; // forbidden here, or damaged
    }
  }

  apply(stored());
  addEventListener("look", (event) => apply(/** @type {CustomEvent} */ (event).detail));
  addEventListener("storage", () => apply(stored()));
})();
