#include "request_id.h"

#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define REQUEST_ID_RANDOM_BYTES 10
#define UUID_BYTES              16
#define SPAN_BYTES              8

static const char hex[] = "0123456789abcdef";

bool request_id_is_usable(const char *text)
{
    size_t size = 0;

    for (; text[size]; size++) {
        const char c = text[size];
        const bool is_alphanumeric =
            (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

        if (size == REQUEST_ID_MAX - 1)
            return false;
        if (!is_alphanumeric && c != '.' && c != '_' && c != '-')
            return false;
    }
    return size > 0;
}

/* Random bytes, or, should the kernel give none, a counter of nanoseconds: ids are no secrets. */
static void request_id_refill(struct request_id_pool *pool)
{
    struct timespec now;

    pool->left = REQUEST_ID_POOL_BYTES;
    if (getrandom(pool->bytes, REQUEST_ID_POOL_BYTES, GRND_NONBLOCK) == REQUEST_ID_POOL_BYTES)
        return;
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    memset(pool->bytes, 0, sizeof(pool->bytes));
    memcpy(pool->bytes, &now.tv_nsec, sizeof(now.tv_nsec));
    pool->left = REQUEST_ID_RANDOM_BYTES;
}

static void request_id_take(struct request_id_pool *pool, unsigned char *out)
{
    if (pool->left < REQUEST_ID_RANDOM_BYTES)
        request_id_refill(pool);
    pool->left -= REQUEST_ID_RANDOM_BYTES;
    memcpy(out, pool->bytes + pool->left, REQUEST_ID_RANDOM_BYTES);
}

void request_id_make(struct request_id_pool *pool, char id[REQUEST_ID_MAX])
{
    unsigned char bytes[UUID_BYTES];
    struct timespec now;
    uint64_t ms;

    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    for (unsigned i = 0; i < 6; i++)
        bytes[i] = (unsigned char)(ms >> (40 - 8 * i));
    request_id_take(pool, bytes + 6);
    bytes[6] = (unsigned char)(0x70 | (bytes[6] & 0x0f)); /* version 7 */
    bytes[8] = (unsigned char)(0x80 | (bytes[8] & 0x3f)); /* variant of RFC 9562 */
    for (unsigned i = 0; i < UUID_BYTES; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *id++ = '-';
        *id++ = hex[bytes[i] >> 4];
        *id++ = hex[bytes[i] & 15];
    }
    *id = '\0';
}

void request_id_make_span(struct request_id_pool *pool, char id[REQUEST_ID_SPAN_MAX])
{
    unsigned char bytes[REQUEST_ID_RANDOM_BYTES];
    unsigned char any = 0;

    request_id_take(pool, bytes);
    for (unsigned i = 0; i < SPAN_BYTES; i++)
        any |= bytes[i];
    if (any == 0)
        bytes[0] = 1;
    for (unsigned i = 0; i < SPAN_BYTES; i++) {
        *id++ = hex[bytes[i] >> 4];
        *id++ = hex[bytes[i] & 15];
    }
    *id = '\0';
}
