// The rows of the learned evaluation, made of its weights by the encoder.
#include "eval/network_eval.hpp"

#include <cstring>
#include <vector>

namespace ninefold {

namespace {

constexpr int WIDTH = NetworkEval::WIDTH, HIDDEN = 64, CODE = 32;
constexpr int ENCODER_ONE = 1024, ENCODER_LIMIT = 4095, ROW_LIMIT = 2700;

// The weights as they follow each other in the file.
struct Weights {
    int16_t cells[9][3][HIDDEN], cells_bias[HIDDEN];
    int16_t middle[HIDDEN][HIDDEN], middle_bias[HIDDEN];
    int16_t code[CODE][HIDDEN], code_bias[CODE];
    int16_t place[9][WIDTH][CODE];
    int16_t dead[9][3][WIDTH];
    int16_t sent_state[WIDTH][CODE];
    int16_t sent[10][WIDTH];
    int16_t bias[WIDTH];
    int16_t output[10][WIDTH], output_bias[10];
};
static_assert(sizeof(Weights) == NetworkEval::WEIGHTS * sizeof(int16_t));

template <int INPUTS, int OUTPUTS>
void layer(const int16_t (&numbers)[INPUTS], const int16_t (&weights)[OUTPUTS][INPUTS], const int16_t (&bias)[OUTPUTS],
           int16_t (&result)[OUTPUTS]) {
    for (int out = 0; out < OUTPUTS; ++out) {
        int64_t sum = bias[out] * ENCODER_ONE + ENCODER_ONE / 2;
        for (int in = 0; in < INPUTS; ++in) sum += numbers[in] * weights[out][in];
        result[out] = static_cast<int16_t>(std::clamp<int64_t>(sum >> 10, 0, ENCODER_LIMIT));
    }
}

int16_t limited(int number) { return static_cast<int16_t>(std::clamp(number, -ROW_LIMIT, ROW_LIMIT)); }

void project(const int16_t (&code)[CODE], const int16_t (&weights)[WIDTH][CODE], NetworkEval::Row& row) {
    for (int out = 0; out < WIDTH; ++out) {
        int sum = 1 << 11;
        for (int in = 0; in < CODE; ++in) sum += code[in] * weights[out][in];
        row.numbers[out] = limited(sum >> 12);
    }
}

void limit(const int16_t (&numbers)[WIDTH], NetworkEval::Row& row) {
    for (int i = 0; i < WIDTH; ++i) row.numbers[i] = limited(numbers[i]);
}

}  // namespace

NetworkEval::NetworkEval(const int16_t* weights, int scale)
    : rows_(new Row[size_t{9} * STATES]), sent_states_(new Row[LIVE_STATES]), scale_(scale) {
    make_states();
    make_rows(weights);
}

void NetworkEval::make_states() {
    uint16_t live = 0;
    for (int filling = 0; filling < FILLINGS; ++filling) {
        unsigned mine = 0, theirs = 0;
        for (int cell = 0; cell < 9; ++cell) {
            int mark = filling / POWER_OF_3[cell] % 3;
            mine |= static_cast<unsigned>(mark == 1) << cell;
            theirs |= static_cast<unsigned>(mark == 2) << cell;
        }
        if (has_line(mine)) state_[filling] = LIVE_STATES;
        else if (has_line(theirs)) state_[filling] = LIVE_STATES + 1;
        else if ((mine | theirs) == FULL_BOARD) state_[filling] = LIVE_STATES + 2;
        else state_[filling] = live++;
    }
}

void NetworkEval::make_rows(const int16_t* weights) {
    auto from = std::make_unique<Weights>();
    std::memcpy(from.get(), weights, sizeof(Weights));
    for (int filling = 0; filling < FILLINGS; ++filling) {
        const unsigned state = state_[filling];
        if (state >= LIVE_STATES) continue;
        int16_t first[HIDDEN], middle[HIDDEN], code[CODE];
        for (int out = 0; out < HIDDEN; ++out) {
            int sum = from->cells_bias[out];
            for (int cell = 0; cell < 9; ++cell) sum += from->cells[cell][filling / POWER_OF_3[cell] % 3][out];
            first[out] = static_cast<int16_t>(std::clamp(sum, 0, ENCODER_LIMIT));
        }
        layer(first, from->middle, from->middle_bias, middle);
        layer(middle, from->code, from->code_bias, code);
        for (size_t place = 0; place < 9; ++place) project(code, from->place[place], rows_[place * STATES + state]);
        project(code, from->sent_state, sent_states_[state]);
    }
    for (size_t place = 0; place < 9; ++place)
        for (size_t owner = 0; owner < 3; ++owner)
            limit(from->dead[place][owner], rows_[place * STATES + LIVE_STATES + owner]);
    limit(from->bias, bias_);
    for (int i = 0; i < 10; ++i) {
        limit(from->sent[i], sent_[i]);
        std::memcpy(output_[i].numbers, from->output[i], sizeof(output_[i].numbers));
        output_bias_[i] = from->output_bias[i];
    }
}

int NetworkEval::evaluate(const Position& position) const {
    Position other = position;
    other.turn ^= 1;  // a node sees the boards as the opponent of its side to move
    const Node node = prepare(other, {});
    const Row& sent_state = position.board == ANY_BOARD ? NO_ROW : sent_states_[node.state[position.board]];
    Accumulator sums(node.rest);
    if (position.board != ANY_BOARD) sums.add(row(position.board, node.state[position.board]));
    sums.add(sent_[position.board]);
    sums.add(sent_state);
    return value(sums.weigh(output_[node.live]), node.live);
}

}  // namespace ninefold
