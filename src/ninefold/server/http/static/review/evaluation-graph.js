/**
 * <nine-graph>: the evaluation over the game, X above and O below. A press goes to that position ("seek"); with the
 * keyboard the slider does the same.
 */

import { drawn } from "../lib/dom.js";
import { signed } from "./move-values.js";

const WIDTH = 600;
const HEIGHT = 120;
const EDGE = 14; // room for the dot, also where the graph is drawn at half its width

export class NineGraph extends HTMLElement {
  #count = 1;

  constructor() {
    super();
    this.addEventListener("pointerdown", (event) => this.#seek(event));
    this.addEventListener("pointermove", (event) => event.buttons && this.#seek(event));
  }

  /**
   * @param {(number | null)[]} scores for X, one a position, null where none is known yet
   * @param {number} ply the position that is shown
   */
  show(scores, ply) {
    this.#count = scores.length;
    const across = (/** @type {number} */ at) =>
      EDGE + (scores.length < 2 ? 0 : (at / (scores.length - 1)) * (WIDTH - 2 * EDGE));
    const up = (/** @type {number} */ score) => HEIGHT / 2 - score * (HEIGHT / 2 - 6);
    const known = scores.flatMap((score, at) => (score === null ? [] : [{ x: across(at), y: up(score) }]));
    const line = known.map(({ x, y }, n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const area = known.length
      ? `${line}L${known[known.length - 1].x.toFixed(1)} ${HEIGHT / 2}L${known[0].x.toFixed(1)} ${HEIGHT / 2}Z`
      : "";
    const here = scores[ply];
    this.replaceChildren(
      drawn(
        "svg",
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          role: "img",
          preserveAspectRatio: "none",
          "aria-label": tellGraph(scores, ply),
        },
        drawn("clipPath", { id: "above" }, drawn("rect", { width: WIDTH, height: HEIGHT / 2 })),
        drawn("clipPath", { id: "below" }, drawn("rect", { y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 })),
        drawn("path", { class: "area x", d: area, "clip-path": "url(#above)" }),
        drawn("path", { class: "area o", d: area, "clip-path": "url(#below)" }),
        drawn("path", { class: "even", d: `M0 ${HEIGHT / 2}H${WIDTH}`, "vector-effect": "non-scaling-stroke" }),
        drawn("path", { class: "curve", d: line, "vector-effect": "non-scaling-stroke" }),
        drawn("path", { class: "here", d: `M${across(ply)} 0V${HEIGHT}`, "vector-effect": "non-scaling-stroke" }),
        here !== null &&
          here !== undefined &&
          drawn("path", { class: "dot", d: `M${across(ply)} ${up(here)}h0`, "vector-effect": "non-scaling-stroke" }),
      ),
    );
  }

  /** @param {PointerEvent} event */
  #seek(event) {
    const { left, width } = this.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * WIDTH;
    const ply = Math.round(((x - EDGE) / (WIDTH - 2 * EDGE)) * (this.#count - 1));
    this.dispatchEvent(new CustomEvent("seek", { detail: Math.min(this.#count - 1, Math.max(0, ply)) }));
  }
}

/** @param {(number | null)[]} scores @param {number} ply */
function tellGraph(scores, ply) {
  const known = scores.filter((score) => score !== null).length;
  const here = scores[ply];
  const now = here === null || here === undefined ? "not known yet" : signed(here);
  return `Evaluation for X over ${scores.length - 1} moves, from −100 to +100; ${known} positions known; here ${now}.`;
}

customElements.define("nine-graph", NineGraph);
