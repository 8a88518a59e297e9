/**
 * Applies the theme, the style of the boards and their labels, and the language. A plain script in the head of every page,
 * so that no page is first drawn in the wrong theme; settings.js sends it what was changed.
 */
(() => {
  const LANGUAGES = ["en", "de", "fr", "es"];

  /** The language that was chosen, or the first of the browser's that there is. @param {{language?: string}} settings */
  function languageOf({ language = "" }) {
    const wanted = [language, ...navigator.languages].map((name) => name.split("-")[0].toLowerCase());
    return wanted.find((name) => LANGUAGES.includes(name)) ?? "en";
  }

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
  // A page that the server has put into words has its language already.
  if (!document.documentElement.dataset.language) document.documentElement.lang = languageOf(stored());
  addEventListener("look", (event) => apply(/** @type {CustomEvent} */ (event).detail));
  addEventListener("storage", () => apply(stored()));
})();
