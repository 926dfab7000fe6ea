/* One memory per exchange: blocks that grow, and that are all freed together. */
#include <stdlib.h>

#include "internal.h"

#define BLOCK_BYTES ((size_t)8192) /* a small request needs one or two of these */
#define ALIGNMENT   ((size_t)64)   /* a cache line, and the widest vector */

struct block {
    struct block *next;
    size_t size; /* bytes behind the header */
    size_t used;
};

#define HEADER_BYTES ALIGNMENT

static size_t round_up(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void posenc_memory_init(struct posenc_memory *memory, size_t limit)
{
    *memory = (struct posenc_memory){.limit = limit};
}

void posenc_memory_release(struct posenc_memory *memory)
{
    const struct posenc_watch *watch = memory->watch;
    struct block *block = memory->blocks;

    while (block) {
        struct block *next = block->next;
        const size_t bytes = HEADER_BYTES + block->size;

        free(block);
        posenc_give_back(watch, bytes);
        block = next;
    }
    posenc_memory_init(memory, memory->limit);
    memory->watch = watch;
}

/* A block with room for size bytes at least, put in front; NULL when there is no more. */
static struct block *memory_grow(struct posenc_memory *memory, size_t size)
{
    size_t room = size > BLOCK_BYTES - HEADER_BYTES ? size : BLOCK_BYTES - HEADER_BYTES;

    if (room > memory->limit - memory->used)
        room = size;
    if (room > memory->limit - memory->used)
        return NULL;
    if (!posenc_may_take(memory->watch, HEADER_BYTES + room))
        return NULL;
    struct block *block = aligned_alloc(ALIGNMENT, HEADER_BYTES + room);

    if (!block) {
        posenc_give_back(memory->watch, HEADER_BYTES + room);
        return NULL;
    }
    *block = (struct block){.next = memory->blocks, .size = room};
    memory->blocks = block;
    memory->used += room;
    return block;
}

static void *memory_fail(struct posenc_memory *memory)
{
    memory->is_short = true;
    return NULL;
}

void *posenc_allocate(struct posenc_memory *memory, size_t count, size_t size)
{
    struct block *block = memory->blocks;

    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return memory_fail(memory);
    const size_t bytes = round_up(count * size);

    if (!block || block->size - block->used < bytes)
        block = memory_grow(memory, bytes);
    if (!block)
        return memory_fail(memory);
    void *room = (char *)block + HEADER_BYTES + block->used;

    block->used += bytes;
    return room;
}
