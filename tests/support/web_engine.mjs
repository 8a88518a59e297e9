/** Answers jobs with the engine as WebAssembly: a list of them from standard input, as JSON. See web_engine.py. */

import { readFileSync } from "node:fs";

import { analysisOf } from "#static/offline/analysis.js";
import { loadCore } from "#static/offline/core.js";
import { chooseMove } from "#static/offline/levels.js";
import { ruleSetName } from "#static/offline/network-file.js";

const ENGINE = new URL("../../src/ninefold/server/http/static/engine/", import.meta.url);
const read = (name) => readFileSync(new URL(name, ENGINE));

const core = await loadCore(read("ninefold.wasm"));

/** What is known of a position. */
function facts(position) {
  const { turn, cells, owners, board } = position;
  const [moves, open, outcome] = [core.moves(position), core.openBoards(position), core.outcome(position)];
  return { text: String(position), turn, cells, owners, board, moves, open, outcome };
}

/** Use the network of a position's rules, or none. */
function useNetwork(position, learned) {
  const hasNetwork = learned && ruleSetName(position.options) !== "squared-boards";
  if (!hasNetwork) core.setNetwork(null);
  else if (!core.hasNetwork(position.options)) core.setNetwork(read(`${ruleSetName(position.options)}.net`));
}

function search({ position: text, learned, memory, limits }) {
  const position = core.parse(text);
  useNetwork(position, learned);
  core.clear(memory);
  return { position, info: core.search(position, limits) };
}

const JOBS = {
  /** The facts of every position of a game. */
  play({ options, moves }) {
    let position = core.start(options);
    const found = [facts(position)];
    for (const move of moves) found.push(facts((position = core.play(position, move))));
    return found;
  },
  /** The moves of all 81 and two more that are refused. */
  refused({ position }) {
    const parsed = core.parse(position);
    return [...Array(83).keys()].map((move) => move - 1).filter((move) => !core.play(parsed, move));
  },
  parse: ({ position }) => facts(core.parse(position)),
  perft: ({ position, depth }) => core.perft(core.parse(position), depth),
  search: (job) => search(job).info,
  /** A search that is told to stop when it first asks, and the depths that it was told of. */
  stop({ position: text }) {
    const depths = [];
    core.setNetwork(null);
    core.clear();
    const listeners = { shouldStop: () => depths.length >= 3, onIteration: ({ depth }) => depths.push(depth) };
    const { nodes, lines } = core.search(core.parse(text), { lines: 81 }, listeners);
    return { nodes, lines: lines.length, depths };
  },
  /** The seconds of a search that is limited by them alone. */
  seconds: ({ position, seconds }) => core.search(core.parse(position), { seconds }).seconds,
  /** The move of a level without its random errors. */
  choose({ position: text, level }) {
    const position = core.parse(text);
    useNetwork(position, true);
    return chooseMove(core, position, level, () => 0.5);
  },
  analysis(job) {
    const { position, info } = search(job);
    return analysisOf(core, position, info);
  },
};

const answers = JSON.parse(readFileSync(0, "utf-8")).map((job) => JOBS[job.kind](job));
process.stdout.write(JSON.stringify(answers));
