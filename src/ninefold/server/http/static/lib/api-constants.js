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
