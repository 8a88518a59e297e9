// Preloaded into a program, it makes its clocks show the CPU time of the process: they stand still while other programs
// have the processor. A program that plans its move by the clock then plays alike on a busy machine and on a quiet one.
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME) clock = CLOCK_PROCESS_CPUTIME_ID;
    return (int)syscall(SYS_clock_gettime, clock, now);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec cpu;
    (void)zone;
    int failed = clock_gettime(CLOCK_MONOTONIC, &cpu);
    now->tv_sec = cpu.tv_sec;
    now->tv_usec = cpu.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *now) {
    struct timespec cpu;
    clock_gettime(CLOCK_MONOTONIC, &cpu);
    if (now != NULL) *now = cpu.tv_sec;
    return cpu.tv_sec;
}
