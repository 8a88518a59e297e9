/** The server's limits and choices, generated from its Python by `make web-types`. Do not edit. */

/** Characters of a player's name. */
export const NAME_LENGTH = 40;

/** Characters of a message. */
export const MESSAGE_LENGTH = 280;

/** Matches in one page of a list. */
export const MOST_IN_PAGE = 100;

/** Kinds of actions that are accepted whatever the version is. */
export const UNVERSIONED = ["say", "resign", "leave"];

/** The clocks that are offered: seconds, and seconds a move. */
export const CLOCK_CHOICES = [[60, 0], [180, 2], [300, 0], [600, 5], [1800, 0]];

/** A side that is one line of boards ahead expects tanh of this. */
export const EXPECTATION_SLOPE = 1.2;

/** The levels of the big games: nodes to search, moves to rank, and the largest error of a score. */
export const ENGINE_LEVELS = {"easy": {"nodes": 500, "lines": 81, "noise": 2500}, "medium": {"nodes": 3000, "lines": 81, "noise": 250}, "hard": {"nodes": 60000, "lines": 8, "noise": 40}, "expert": {"nodes": 10000000, "lines": 1, "noise": 0}};

/** Rule sets with a network. */
export const ENGINE_NETWORKS = ["squared", "ultimate", "ultimate-boards"];

/** Bytes of the transposition table of a level. */
export const ENGINE_LEVEL_MEMORY = 16777216;
