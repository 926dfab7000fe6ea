#include "ahead.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool ahead_make_room(struct ahead *ahead, size_t capacity, struct budget *budget)
{
    assert(capacity > 0);
    if (ahead->bytes)
        return true;
    if (!budget_take(budget, capacity))
        return false;
    ahead->bytes = malloc(capacity);
    if (!ahead->bytes) {
        budget_give_back(budget, capacity);
        return false;
    }
    ahead->capacity = capacity;
    return true;
}

void ahead_release(struct ahead *ahead, struct budget *budget)
{
    if (!ahead->bytes)
        return;
    free(ahead->bytes);
    budget_give_back(budget, ahead->capacity);
    *ahead = (struct ahead){0};
}

void ahead_fill(struct ahead *ahead, const struct response *response)
{
    ahead->offset += ahead->size;
    ahead->size = 0;
    while (ahead->size < ahead->capacity && !ahead->is_last) {
        const ssize_t got =
            response->read(response->state, ahead->offset + ahead->size, ahead->bytes + ahead->size,
                           ahead->capacity - ahead->size);

        if (got > 0)
            ahead->size += (size_t)got;
        ahead->has_failed = got < 0;
        ahead->is_last = got <= 0 || ahead->offset + ahead->size >= response->length;
    }
}

size_t ahead_take(const struct ahead *ahead, uint64_t offset, char *buffer, size_t size)
{
    const uint64_t end = ahead->offset + ahead->size;

    if (offset >= end)
        return 0;
    assert(offset >= ahead->offset);
    if (end - offset < size)
        size = (size_t)(end - offset);
    memcpy(buffer, ahead->bytes + (offset - ahead->offset), size);
    return size;
}
