/**
 * <nine-graph>: a graph of the evaluation over the game, X above and O below.
 *
 * Pressing it selects a position (event "seek"); with the keyboard the slider does the same.
 */

import { svg } from "../lib/dom.js";
import { text } from "../lib/messages.js";
import { formatScore } from "./move-values.js";

const WIDTH = 600;
const HEIGHT = 120;
const EDGE = 14; // room for the dot, also where the graph is drawn at half its width

export class EvaluationGraph extends HTMLElement {
  #count = 1;

  constructor() {
    super();
    this.addEventListener("pointerdown", (event) => this.#seek(event));
    this.addEventListener("pointermove", (event) => event.buttons && this.#seek(event));
  }

  /**
   * @param {(number | null)[]} scores for X, one a position, null where none is known yet
   * @param {number} ply the position that is shown
   * @param {Map<number, string>} [mistakes] the positions after mistakes, with their kinds
   */
  show(scores, ply, mistakes = new Map()) {
    this.#count = scores.length;
    const xOf = (/** @type {number} */ index) =>
      EDGE + (scores.length < 2 ? 0 : (index / (scores.length - 1)) * (WIDTH - 2 * EDGE));
    const yOf = (/** @type {number} */ score) => HEIGHT / 2 - score * (HEIGHT / 2 - 6);
    const points = scores.flatMap((score, index) => (score === null ? [] : [{ x: xOf(index), y: yOf(score) }]));
    const line = points.map(({ x, y }, n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const area = points.length
      ? `${line}L${points[points.length - 1].x.toFixed(1)} ${HEIGHT / 2}L${points[0].x.toFixed(1)} ${HEIGHT / 2}Z`
      : "";
    const score = scores[ply] ?? null;
    this.replaceChildren(
      svg(
        "svg",
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          role: "img",
          preserveAspectRatio: "none",
          "aria-label": describeGraph(scores, ply, mistakes.size),
        },
        svg("clipPath", { id: "above" }, svg("rect", { width: WIDTH, height: HEIGHT / 2 })),
        svg("clipPath", { id: "below" }, svg("rect", { y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 })),
        svg("path", { class: "area x", d: area, "clip-path": "url(#above)" }),
        svg("path", { class: "area o", d: area, "clip-path": "url(#below)" }),
        svg("path", { class: "even", d: `M0 ${HEIGHT / 2}H${WIDTH}`, "vector-effect": "non-scaling-stroke" }),
        svg("path", { class: "curve", d: line, "vector-effect": "non-scaling-stroke" }),
        svg("path", { class: "here", d: `M${xOf(ply)} 0V${HEIGHT}`, "vector-effect": "non-scaling-stroke" }),
        ...[...mistakes].map(([index, kind]) =>
          svg("path", {
            class: `mistake ${kind}`,
            d: `M${xOf(index)} ${yOf(scores[index] ?? 0)}h0`,
            "vector-effect": "non-scaling-stroke",
          }),
        ),
        score !== null &&
          svg("path", { class: "dot", d: `M${xOf(ply)} ${yOf(score)}h0`, "vector-effect": "non-scaling-stroke" }),
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

/** @param {(number | null)[]} scores @param {number} ply @param {number} mistakes */
function describeGraph(scores, ply, mistakes) {
  const score = scores[ply] ?? null;
  return text("graph.label", {
    mistakes,
    moves: scores.length - 1,
    known: scores.filter((known) => known !== null).length,
    score: score === null ? text("graph.unknown") : formatScore(score),
  });
}

customElements.define("nine-graph", EvaluationGraph);
