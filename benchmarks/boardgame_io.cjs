// A server of boardgame.io for benchmarks.moves: tic-tac-toe, with its matches in files or in memory.
// node boardgame_io.cjs MODULES memory|flatfile FOLDER

const { createRequire } = require("node:module");
const [modules, storage, folder] = process.argv.slice(2);
const load = createRequire(modules + "/");
const { Server, FlatFile, Origins } = load("boardgame.io/server");
const { INVALID_MOVE } = load("boardgame.io/core");

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];

const game = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return INVALID_MOVE;
      G.cells[id] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (LINES.some((line) => line.every((cell) => G.cells[cell] === ctx.currentPlayer))) {
      return { winner: ctx.currentPlayer };
    }
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

const options = { games: [game], origins: [Origins.LOCALHOST] };
if (storage === "flatfile") options.db = new FlatFile({ dir: folder, logging: false });
const server = Server(options);
server.run({ port: 0 }).then((running) => {
  console.log("http://127.0.0.1:" + running.appServer.address().port + "/");
});
