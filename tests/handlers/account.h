/* A watch that keeps account of what is asked of it, and refuses what a test wants refused. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "posenc.h"

struct account {
    uint64_t allowed_ns; /* longest work that may begin; after one that may not, none may */
    size_t take_limit;   /* takes of memory that are granted */
    size_t bytes_max;    /* that may be held at a time; 0: any */

    bool was_stopped;
    uint64_t longest_ns; /* work that was asked for */
    size_t takes;
    size_t held; /* bytes */
};

/* Grants everything. */
#define ACCOUNT_OPEN ((struct account){.allowed_ns = UINT64_MAX, .take_limit = SIZE_MAX})

/* The account must outlive the watch. */
struct posenc_watch account_watch(struct account *account);

#endif
