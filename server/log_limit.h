/*
 * Lines a second. A million bad requests must not fill the disk, nor hide what else happens: each
 * kind of request has an allowance of its own, and what is beyond it is only counted.
 */
#ifndef LOG_LIMIT_H
#define LOG_LIMIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "log.h"

/* Lines so far: the second in the upper half, the number in the lower. Zeroed is a start. */
struct log_limit {
    uint64_t lines_per_second; /* of each kind; 0: as many as come */
    _Atomic uint64_t windows[LOG_KINDS];
};

/* Whether one more line of that kind may be written now, in clock_ms(). Thread-safe. */
bool log_limit_admits(struct log_limit *limit, enum log_kind kind, uint64_t now_ms);

#endif
