#include "log_limit.h"

bool log_limit_admits(struct log_limit *limit, enum log_kind kind, uint64_t now_ms)
{
    _Atomic uint64_t *const window = &limit->windows[kind];
    const uint64_t second = (now_ms / 1000) << 32;
    uint64_t known;

    if (limit->lines_per_second == 0)
        return true;
    known = atomic_load(window);
    /* Whoever starts the second has its first line; who loses the race counts on in it. */
    while (known >> 32 != second >> 32)
        if (atomic_compare_exchange_weak(window, &known, second | 1))
            return true;
    return (atomic_fetch_add(window, 1) & UINT32_MAX) < limit->lines_per_second;
}
