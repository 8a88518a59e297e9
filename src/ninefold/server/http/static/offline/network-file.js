/**
 * Files of the engine's networks, as ninefold/analysis/network.py writes them.
 *
 * @typedef {import("./big-position.js").Options} Options
 */

export const WEIGHT_BYTES = 63188;
const MAGIC = "ninefold network 1\n";

/** The name of the rule set of a game with these options: that of its network's file. @param {Pick<Options, "drawn" | "tie_break">} options */
export function ruleSetName({ drawn, tie_break: tieBreak }) {
  return (drawn === "both" ? "squared" : "ultimate") + (tieBreak === "boards" ? "-boards" : "");
}

/** The rule set, the scale and the weights in a file. Throws an Error for what is none. @param {ArrayBuffer | Uint8Array} file */
export function readNetwork(file) {
  const bytes = new Uint8Array(file);
  const end = bytes.indexOf(10, MAGIC.length);
  const head = new TextDecoder().decode(bytes.subarray(0, Math.max(end, 0)));
  const weights = bytes.subarray(end + 1);
  if (!head.startsWith(MAGIC) || weights.length !== WEIGHT_BYTES) throw new Error("This is no network of the engine.");
  const { rules, scale } = JSON.parse(head.slice(MAGIC.length));
  return { rules: String(rules), scale: Number(scale), weights };
}
