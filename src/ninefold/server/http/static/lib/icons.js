/** The icons: strokes of one width on a grid of 24, in the colour of the text beside them. */

import { svg } from "./dom.js";

const PATHS = {
  gear: "M9.9 5L10.2 2.4L13.8 2.4L14.1 5L15.5 5.6L17.6 3.9L20.1 6.4L18.4 8.5L19 9.9L21.6 10.2L21.6 13.8L19 14.1L18.4 15.5L20.1 17.6L17.6 20.1L15.5 18.4L14.1 19L13.8 21.6L10.2 21.6L9.9 19L8.5 18.4L6.4 20.1L3.9 17.6L5.6 15.5L5 14.1L2.4 13.8L2.4 10.2L5 9.9L5.6 8.5L3.9 6.4L6.4 3.9L8.5 5.6zM12 8.8a3.2 3.2 0 1 0 0 6.4a3.2 3.2 0 1 0 0-6.4z",
  friend: "M10 14a4.2 4.2 0 0 0 6 0l3.5-3.5a4.2 4.2 0 0 0-6-6L12 6M14 10a4.2 4.2 0 0 0-6 0l-3.5 3.5a4.2 4.2 0 0 0 6 6L12 18",
  find: "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM15.5 15.5L21 21",
  here: "M4 5h16v11H4zM9 20h6M12 16v4",
  sound: "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  muted: "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM16 9.5l5 5M21 9.5l-5 5",
  options: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  const attributes = { class: "glyph", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" };
  return svg("svg", attributes, svg("path", { d: PATHS[name] }));
}
