// A network for Python: its weights, checked.
#pragma once

#include "bindings/bindings.hpp"
#include "dispatch.hpp"
#include "movegen.hpp"

namespace ninefold {

class Network {
public:
    Network(nb::bytes weights, int scale) : eval_(checked(weights), check_scale(scale)) {}

    int evaluate(const NativePosition& self) const {
        check_not_ended(self);
        return eval_.evaluate(self.position);
    }

    // As the search does it: without making the moves, on the kind of processor that is wanted.
    nb::list evaluate_moves(const NativePosition& self, const std::string& processor) const {
        check_not_ended(self);
        int values[MOVE_COUNT];
        find_kernels(processor).evaluate_moves(eval_, self.position, self.rules, values);
        nb::list list;
        for (int i = 0; i < generate_moves(self.position).size; ++i) list.append(values[i]);
        return list;
    }

    const NetworkEval* eval() const { return &eval_; }

private:
    NetworkEval eval_;

    static const CpuKernels& find_kernels(const std::string& processor) {
        for (const CpuKernels* kernels : runnable_kernels())
            if (kernels && kernels->name == processor) return *kernels;
        if (!processor.empty()) refuse("A processor is one that this machine can stand for, or empty.");
        return cpu_kernels();
    }

    static const int16_t* checked(const nb::bytes& weights) {
        if (weights.size() != NetworkEval::WEIGHTS * sizeof(int16_t))
            refuse("The weights of a network are 63,188 bytes.");
        return reinterpret_cast<const int16_t*>(weights.c_str());
    }

    static int check_scale(int scale) {
        if (scale < 1 || scale > 10'000) refuse("The scale of a network is 1 to 10,000.");
        return scale;
    }
};

}  // namespace ninefold
