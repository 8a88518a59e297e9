/** The icons: strokes of one width on a grid of 24, in the colour of the text beside them. */

import { svg } from "./dom.js";

const PATHS = {
  gear: "M12 8.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M18.7 5.3l-2.1 2.1M7.4 16.6l-2.1 2.1",
  friend: "M10 14a4.2 4.2 0 0 0 6 0l3.5-3.5a4.2 4.2 0 0 0-6-6L12 6M14 10a4.2 4.2 0 0 0-6 0l-3.5 3.5a4.2 4.2 0 0 0 6 6L12 18",
  find: "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM15.5 15.5L21 21",
  here: "M4 5h16v11H4zM9 20h6M12 16v4",
  options: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  const attributes = { class: "glyph", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" };
  return svg("svg", attributes, svg("path", { d: PATHS[name] }));
}
