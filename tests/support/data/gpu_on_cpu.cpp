// The kernels for a GPU compiled for the CPU: what CUDA adds to C++ becomes nothing, and a kernel is called thread by
// thread.
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
uint32_t shared_words[1 << 18];  // the shared memory of a block

#include "batch/batch.cu"

extern "C" void set_thread(unsigned block, unsigned blocks, unsigned thread, unsigned threads) {
    blockIdx = {block}, gridDim = {blocks}, threadIdx = {thread}, blockDim = {threads};
}
