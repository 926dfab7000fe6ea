#include "budget.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define BUDGET_PATH_MAX 4096
#define BUDGET_MIN      (UINT64_C(16) << 20)

bool budget_take(struct budget *budget, uint64_t bytes)
{
    uint64_t used = atomic_load(&budget->used);

    do {
        if (used > budget->limit || bytes > budget->limit - used)
            return false;
    } while (!atomic_compare_exchange_weak(&budget->used, &used, used + bytes));
    return true;
}

void budget_give_back(struct budget *budget, uint64_t bytes)
{
    const uint64_t before = atomic_fetch_sub(&budget->used, bytes);

    assert(before >= bytes);
    (void)before; /* where asserts are off */
}

/* The number that a file of a control group begins with; UINT64_MAX for "max" and for no file. */
static uint64_t budget_read_limit(const char *path)
{
    FILE *file = fopen(path, "re");
    char text[32] = "", *end = text;
    unsigned long long limit = 0;

    if (!file)
        return UINT64_MAX;
    if (fgets(text, sizeof(text), file))
        limit = strtoull(text, &end, 10);
    (void)fclose(file); /* it was only read */
    return end == text ? UINT64_MAX : limit;
}

/* Version 2: a line "0::/path". What applies is the least limit on the way up to the root. */
static uint64_t budget_group_limit(void)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char group[BUDGET_PATH_MAX] = "", path[BUDGET_PATH_MAX + 64];
    uint64_t least = UINT64_MAX;

    if (!file)
        return UINT64_MAX;
    while (fgets(group, sizeof(group), file) && strncmp(group, "0::", 3) != 0)
        group[0] = '\0';
    (void)fclose(file); /* it was only read */
    group[strcspn(group, "\n")] = '\0';
    for (char *end = group + strlen(group); group[0] && end; end = strrchr(group + 2, '/')) {
        uint64_t limit;

        *end = '\0';
        (void)snprintf(path, sizeof(path), "/sys/fs/cgroup%s/memory.max", group + 3);
        limit = budget_read_limit(path);
        least = limit < least ? limit : least;
    }
    return least;
}

uint64_t budget_addresses(void)
{
    struct rlimit addresses;

    if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return addresses.rlim_cur;
}

static uint64_t budget_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t budget_default_limit(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t limit = budget_least(budget_group_limit(), budget_addresses());

    if (pages > 0 && page_bytes > 0)
        limit = budget_least(limit, (uint64_t)pages * (uint64_t)page_bytes);
    return limit / 2 > BUDGET_MIN ? limit / 2 : BUDGET_MIN;
}

uint64_t budget_bodies_limit(uint64_t limit, uint64_t body_max)
{
    return body_max < limit / 2 ? limit / 2 : budget_least(limit, body_max);
}
