// Scores of the search. A score is for the side to move; a forced win in n plies is WIN - n.
#pragma once

#include "rules.hpp"

namespace ninefold {

constexpr int WIN = 30'000;
constexpr int MAX_PLY = MOVE_COUNT + 2;
constexpr int WIN_IN_MAX_PLY = WIN - 200;  // scores from here on, of either sign, are forced wins and losses
constexpr int INFINITE_SCORE = WIN + 1;

constexpr int win_in(int ply) { return WIN - ply; }
constexpr bool is_win(int score) { return score >= WIN_IN_MAX_PLY; }
constexpr bool is_loss(int score) { return score <= -WIN_IN_MAX_PLY; }
constexpr bool is_decisive(int score) { return is_win(score) || is_loss(score); }

// In the transposition table a forced win counts from its own position, in the search from the root.
constexpr int score_to_tt(int score, int ply) {
    return is_win(score) ? score + ply : is_loss(score) ? score - ply : score;
}
constexpr int score_from_tt(int score, int ply) {
    return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
}

}  // namespace ninefold
