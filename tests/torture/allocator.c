#include "allocator.h"

#include <errno.h>
#include <stdlib.h>

/* What the program calls, and where it ends up. */
#ifdef SANITIZED /* the linker redirects calls of our own objects */
#define OURS(name)   __wrap_##name
#define THEIRS(name) __real_##name
#else /* the program's symbols come before libc's, for libraries, too */
#define OURS(name)   name
#define THEIRS(name) __libc_##name
#endif

void *THEIRS(malloc)(size_t size);
void *THEIRS(calloc)(size_t count, size_t size);
void *THEIRS(realloc)(void *block, size_t size);
void THEIRS(free)(void *block);

void *OURS(malloc)(size_t size);
void *OURS(calloc)(size_t count, size_t size);
void *OURS(realloc)(void *block, size_t size);
void *OURS(aligned_alloc)(size_t alignment, size_t size);
void OURS(free)(void *block);

#ifdef SANITIZED
void *__real_aligned_alloc(size_t alignment, size_t size);
#define THEIR_ALIGNED_ALLOC __real_aligned_alloc
#else
void *__libc_memalign(size_t alignment, size_t size);
#define THEIR_ALIGNED_ALLOC __libc_memalign
#endif

static _Thread_local struct {
    bool is_armed;
    enum allocator_failing failing;
    size_t n;
    struct allocator_report report;
} torture;

/* Counts one allocation; whether it must fail. */
static bool must_fail(void)
{
    size_t call;

    if (!torture.is_armed)
        return false;
    call = torture.report.calls++;
    if (call != torture.n && (torture.failing == ALLOCATOR_FAILS_ONCE || call < torture.n))
        return false;
    torture.report.failed++;
    errno = ENOMEM;
    return true;
}

static void *count_block(void *block)
{
    torture.report.live += block != NULL;
    return block;
}

void *OURS(malloc)(size_t size)
{
    return must_fail() ? NULL : count_block(THEIRS(malloc)(size));
}

void *OURS(calloc)(size_t count, size_t size)
{
    return must_fail() ? NULL : count_block(THEIRS(calloc)(count, size));
}

void *OURS(realloc)(void *block, size_t size)
{
    void *grown;

    if (must_fail())
        return NULL;
    grown = THEIRS(realloc)(block, size);
    return block ? grown : count_block(grown);
}

void *OURS(aligned_alloc)(size_t alignment, size_t size)
{
    return must_fail() ? NULL : count_block(THEIR_ALIGNED_ALLOC(alignment, size));
}

void OURS(free)(void *block)
{
    torture.report.live -= block != NULL;
    THEIRS(free)(block);
}

void allocator_arm(size_t n, enum allocator_failing failing)
{
    torture.n = n;
    torture.failing = failing;
    torture.report = (struct allocator_report){0};
    torture.is_armed = true;
}

struct allocator_report allocator_disarm(void)
{
    torture.is_armed = false;
    return torture.report;
}
