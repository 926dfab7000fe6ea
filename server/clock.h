/* Monotonic time: deadlines and durations must not follow a clock that somebody sets. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

/* Microseconds since some fixed moment in the past. */
static inline uint64_t clock_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (uint64_t)now.tv_sec * 1000000U + (uint64_t)now.tv_nsec / 1000U;
}

/* Milliseconds of the same clock. */
static inline uint64_t clock_ms(void)
{
    return clock_us() / 1000U;
}

#endif
