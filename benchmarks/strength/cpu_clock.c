// Preloaded into a program, it makes its clocks show the CPU time of the process: they stand still while other programs
// have the processor. A program that plans its move by the clock then plays alike on a busy machine and on a quiet one.
// Waits with a deadline end by real time. Otherwise the system would compare a deadline of CPU time with real time and
// end the wait at once, and a thread that waits for a search in a loop would use up half of the clock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000L

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

// The deadline as far from now by the real monotonic clock as it is by the clock that the program sees.
static struct timespec real_deadline(const struct timespec *deadline) {
    struct timespec cpu, real;
    clock_gettime(CLOCK_MONOTONIC, &cpu);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &real);
    real.tv_sec += deadline->tv_sec - cpu.tv_sec;
    real.tv_nsec += deadline->tv_nsec - cpu.tv_nsec;
    if (real.tv_nsec < 0) real.tv_sec -= 1, real.tv_nsec += SECOND;
    if (real.tv_nsec >= SECOND) real.tv_sec += 1, real.tv_nsec -= SECOND;
    return real;
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline) {
    int (*wait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
    *(void **)&wait = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
    struct timespec real = real_deadline(deadline);
    (void)clock;
    return wait(condition, mutex, CLOCK_MONOTONIC, &real);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, deadline);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
    int (*wait)(sem_t *, clockid_t, const struct timespec *);
    *(void **)&wait = dlsym(RTLD_NEXT, "sem_clockwait");
    struct timespec real = real_deadline(deadline);
    (void)clock;
    return wait(semaphore, CLOCK_MONOTONIC, &real);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, deadline);
}
