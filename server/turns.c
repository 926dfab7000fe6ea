#include "turns.h"

void turns_begin_round(struct turns *turns)
{
    turns->is_crowded = turns->has_put_off;
    turns->has_put_off = false;
    turns->spent_us = 0;
    turns->bytes = 0;
    if (!turns->is_crowded)
        turns->cycle++;
}

bool turns_take(struct turns *turns, uint64_t *turn)
{
    if (turns->is_crowded && *turn == turns->cycle)
        return false;
    if (turns->spent_us >= TURNS_ROUND_US || turns->bytes >= TURNS_ROUND_BYTES) {
        turns->has_put_off = true;
        return false;
    }
    *turn = turns->cycle;
    return true;
}

void turns_spend(struct turns *turns, uint64_t us, size_t bytes)
{
    turns->spent_us += us;
    turns->bytes += bytes;
}
