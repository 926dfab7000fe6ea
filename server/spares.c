#include "spares.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define PAGE      ((size_t)4096)

void spares_init(struct spares *spares, uint64_t mapped_max)
{
    *spares = (struct spares){.mutex = PTHREAD_MUTEX_INITIALIZER, .mapped_max = mapped_max};
}

static void unmap_kept(struct spares *spares)
{
    for (size_t i = 0; i < spares->count; i++)
        (void)munmap(spares->kept[i].room, spares->kept[i].size);
    spares->mapped -= spares->bytes;
    spares->count = spares->bytes = 0;
}

void spares_release(struct spares *spares)
{
    unmap_kept(spares);
    (void)pthread_mutex_destroy(&spares->mutex); /* nobody waits for it */
}

/* Huge pages are filled at half the cost. The first ones are left small, so that what is resident
 * stays below twice of what has arrived. */
static void advise_huge(char *room, size_t size)
{
    const size_t skipped = 2 * HUGE_PAGE - (uintptr_t)room % HUGE_PAGE;

    if (size > skipped + HUGE_PAGE)
        (void)madvise(room + skipped, (size - skipped) / HUGE_PAGE * HUGE_PAGE,
                      MADV_HUGEPAGE); /* a hint */
}

/* The smallest one that suffices; `count` when none does. */
static size_t find_spare(const struct spares *spares, size_t size)
{
    size_t found = spares->count;

    for (size_t i = 0; i < spares->count; i++)
        if (spares->kept[i].size >= size &&
            (found == spares->count || spares->kept[i].size < spares->kept[found].size))
            found = i;
    return found;
}

static void *take_kept(struct spares *spares, size_t size, size_t *room_size)
{
    void *room = NULL;

    (void)pthread_mutex_lock(&spares->mutex); /* neither can fail */
    const size_t found = find_spare(spares, size);

    if (found < spares->count) {
        room = spares->kept[found].room;
        *room_size = spares->kept[found].size;
        spares->bytes -= *room_size;
        spares->kept[found] = spares->kept[--spares->count];
    }
    (void)pthread_mutex_unlock(&spares->mutex);
    return room;
}

/* Those that are kept are of no use when what is asked for does not fit beside them. */
static bool claim_addresses(struct spares *spares, size_t size)
{
    bool is_claimed;

    (void)pthread_mutex_lock(&spares->mutex);
    if (size > spares->mapped_max - spares->mapped)
        unmap_kept(spares);
    is_claimed = size <= spares->mapped_max - spares->mapped;
    if (is_claimed)
        spares->mapped += size;
    (void)pthread_mutex_unlock(&spares->mutex);
    return is_claimed;
}

static void return_addresses(struct spares *spares, size_t size)
{
    (void)pthread_mutex_lock(&spares->mutex);
    spares->mapped -= size;
    (void)pthread_mutex_unlock(&spares->mutex);
}

void *spares_take(struct spares *spares, size_t size, size_t *room_size)
{
    void *room = take_kept(spares, size, room_size);

    if (room)
        return room;
    if (size > SIZE_MAX - PAGE)
        return NULL;
    *room_size = (size + PAGE - 1) / PAGE * PAGE;
    if (!claim_addresses(spares, *room_size))
        return NULL;
    room = mmap(NULL, *room_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) {
        return_addresses(spares, *room_size);
        return NULL;
    }
    advise_huge(room, *room_size);
    return room;
}

void spares_give(struct spares *spares, void *room, size_t size)
{
    bool is_kept = size <= SPARES_BYTES_MAX && madvise(room, size, MADV_FREE) == 0;

    (void)pthread_mutex_lock(&spares->mutex);
    is_kept = is_kept && spares->count < SPARES_MAX && spares->bytes <= SPARES_BYTES_MAX - size;
    if (is_kept) {
        spares->kept[spares->count++] = (struct spare){room, size};
        spares->bytes += size;
    } else
        spares->mapped -= size;
    (void)pthread_mutex_unlock(&spares->mutex);
    if (!is_kept)
        (void)munmap(room, size);
}
