#include "json_reserve.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Of jansson 2.14, rounded up: an object has 72 bytes and 128 of buckets, a member 56 and its share
 * of buckets that have doubled, an array 104 and 8 for each item, doubled, too. Texts are held in
 * the lexer's buffer, which doubles, in a token, and in a value or a member.
 */
#define RESERVE_BYTES_A_VALUE 512U
#define RESERVE_TIMES_TEXT    8U
#define RESERVE_BYTES_SPARE   4096U
#define RESERVE_ALIGNMENT     16U

/* jansson's allocator has no context, so this is the one variable that a thread keeps: what is left
 * for the body that it reads, which is nothing when it reads none. */
static _Thread_local struct {
    char *first, *at, *end;
} room;

static void *reserve_allocate(size_t size)
{
    const size_t rounded = (size + RESERVE_ALIGNMENT - 1) / RESERVE_ALIGNMENT * RESERVE_ALIGNMENT;
    char *const block = room.at;

    if (rounded < size || rounded > (size_t)(room.end - room.at))
        return malloc(size);
    room.at += rounded;
    return block;
}

static void reserve_free(void *block)
{
    const uintptr_t address = (uintptr_t)block;

    if (address < (uintptr_t)room.first || address >= (uintptr_t)room.end)
        free(block);
}

void json_reserve_install(void)
{
    json_set_alloc_funcs(reserve_allocate, reserve_free);
}

static bool reserve_count(size_t size, size_t values, size_t *bytes)
{
    size_t texts;

    return !__builtin_mul_overflow(size, RESERVE_TIMES_TEXT, &texts) &&
           !__builtin_mul_overflow(values, RESERVE_BYTES_A_VALUE, bytes) &&
           !__builtin_add_overflow(*bytes, texts, bytes) &&
           !__builtin_add_overflow(*bytes, RESERVE_BYTES_SPARE, bytes);
}

bool json_reserve_begin(struct json_reserve *reserve, const struct posenc_watch *watch, size_t size,
                        size_t values)
{
    *reserve = (struct json_reserve){.watch = watch};
    if (!reserve_count(size, values, &reserve->size) || !posenc_may_take(watch, reserve->size))
        return false;
    reserve->bytes = malloc(reserve->size);
    if (!reserve->bytes) {
        posenc_give_back(watch, reserve->size);
        return false;
    }
    room.first = room.at = reserve->bytes;
    room.end = reserve->bytes + reserve->size;
    return true;
}

void json_reserve_end(struct json_reserve *reserve)
{
    room.first = room.at = room.end = NULL;
    free(reserve->bytes);
    posenc_give_back(reserve->watch, reserve->size);
}
