// The GPU's kernels compiled for the CPU: what CUDA adds to C++ becomes nothing, and a kernel is called thread by thread.
#include <algorithm>
#include <cstdint>

#define __global__
#define __device__
#define __shared__
#define __syncthreads()
#define __ldg(place) (*(place))
using std::min;

struct Index {
    unsigned x;
};
static Index blockIdx, blockDim, threadIdx, gridDim;
uint32_t near[1 << 18];   // the memory of a block

#include "batch.cu"

extern "C" void become(unsigned block, unsigned blocks, unsigned thread, unsigned threads) {
    blockIdx = {block}, gridDim = {blocks}, threadIdx = {thread}, blockDim = {threads};
}
