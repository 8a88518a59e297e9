/**
 * The module of WebAssembly behind core.js: how it is compiled, what it exports and what it imports. No DOM.
 *
 * @typedef {import("./core.js").Core} Core
 *
 * @typedef {object} Exports what native/wasm/core.cpp exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {() => number} position_address
 * @property {() => number} moves_address
 * @property {() => number} weights_address
 * @property {() => number} root_moves_address
 * @property {(both: number, boards: number) => void} set_rules
 * @property {(first: number) => void} start
 * @property {() => number} complete_position
 * @property {() => number} moves
 * @property {(move: number) => number} play
 * @property {() => number} open_boards
 * @property {() => number} end_reason
 * @property {() => number} result
 * @property {(side: number) => number} scoring_boards
 * @property {(depth: number) => number} perft
 * @property {(scale: number) => void} make_network
 * @property {(bytes: number) => void} make_table
 * @property {(nodes: number, depth: number, seconds: number, lines: number, network: number) => void} search
 * @property {() => number} searched_nodes
 * @property {() => number} searched_seconds
 */

/** @param {BufferSource | WebAssembly.Module | Response | Promise<Response>} source */
export async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = await source;
  if (!response.ok) throw new Error(`The engine cannot be loaded: ${response.status}.`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** What the WebAssembly imports: a clock, and the listeners of a search. @param {() => Core} core @returns {WebAssembly.Imports} */
export function importsOf(core) {
  const clock = (/** @type {number} */ _id, /** @type {bigint} */ _precision, /** @type {number} */ address) => {
    core().writeTime(address);
    return 0;
  };
  return {
    wasi_snapshot_preview1: { clock_time_get: clock },
    ninefold: {
      should_stop: () => (core().listeners.shouldStop?.() ? 1 : 0),
      iteration: () => core().listeners.onIteration?.(core().progress),
    },
  };
}
