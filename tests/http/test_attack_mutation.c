/* Golden requests with bytes changed at random, against the running server. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <jansson.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attack.h"

#define REQUEST_MAX  32768
#define REQUESTS_MAX 400
#define BATCH        64
#define ROUNDS       10 /* of batches; ATTACK_ALL: more */
#define ROUNDS_ALL   400
#define SEED         UINT64_C(20240607)
#define ANSWER_MS    20000 /* every deadline is a second; much, for sanitizers */

struct recorded {
    char *bytes;
    size_t size;
};

static struct recorded requests[REQUESTS_MAX];
static size_t request_count;

static uint64_t state = SEED;

static uint32_t random_below(uint32_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % limit);
}

/* What stands behind '?', escaped where it must be. */
static void add_query(const json_t *request, char *target, size_t size)
{
    const char *const raw = json_string_value(json_object_get(request, "query_text"));
    size_t used = strlen(target);
    const char *name;
    json_t *value;

    if (raw)
        (void)snprintf(target + used, size - used, "?%s", raw);
    json_object_foreach(json_object_get(request, "query"), name, value)
    {
        used = strlen(target);
        used += (size_t)snprintf(target + used, size - used,
                                 "%c%s=", strchr(target, '?') ? '&' : '?', name);
        for (const char *at = json_string_value(value); at && *at && used + 4 < size; at++)
            used +=
                (size_t)snprintf(target + used, size - used,
                                 *at > ' ' && *at < 0x7f && !strchr("%&+#", *at) ? "%c" : "%%%02X",
                                 (unsigned char)*at);
    }
}

static void record(const json_t *line)
{
    const json_t *const request = json_object_get(line, "request");
    const json_t *const body = json_object_get(request, "body");
    const char *const raw = json_string_value(json_object_get(request, "body_text"));
    char *text = body ? json_dumps(body, JSON_COMPACT) : strdup(raw ? raw : "");
    char target[4096];
    struct recorded *one = &requests[request_count];
    int size;

    cr_assert(text);
    (void)snprintf(target, sizeof(target), "%s",
                   json_string_value(json_object_get(request, "path")));
    add_query(request, target, sizeof(target));
    one->bytes = malloc(REQUEST_MAX);
    cr_assert(one->bytes);
    size =
        snprintf(one->bytes, REQUEST_MAX,
                 "%s %s HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nConnection: close\r\n"
                 "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 json_string_value(json_object_get(request, "method")), target, strlen(text), text);
    one->size = (size_t)size;
    if (size > 0 && size < REQUEST_MAX)
        request_count++;
    else
        free(one->bytes);
    free(text);
}

/* Lines of every golden file, spread over all of it. */
static void record_file(const char *path)
{
    static char line[1 << 20];
    FILE *const file = fopen(path, "r");
    size_t number = 0;

    cr_assert(file, "%s", path);
    while (fgets(line, sizeof(line), file)) {
        json_t *const json = number++ % 11 == 0 ? json_loads(line, 0, NULL) : NULL;

        if (json && request_count < REQUESTS_MAX)
            record(json);
        json_decref(json);
    }
    (void)fclose(file);
}

static int is_golden(const struct dirent *entry)
{
    return strstr(entry->d_name, ".jsonl") != NULL;
}

/* By name, since folders have an order of their own: the same requests on every machine. */
static void record_all(void)
{
    const char *const folder = getenv("GOLDEN") ? getenv("GOLDEN") : "tests/golden";
    struct dirent **files;
    const int count = scandir(folder, &files, is_golden, alphasort);

    cr_assert_gt(count, 0, "%s", folder);
    for (int i = 0; i < count; i++) {
        char path[512];

        (void)snprintf(path, sizeof(path), "%s/%s", folder, files[i]->d_name);
        record_file(path);
        free(files[i]);
    }
    free(files);
    cr_assert_gt(request_count, 50);
}

/* Changes, removes, repeats or swaps some bytes; returns the new size. */
static size_t mutate(char *bytes, size_t size)
{
    static const char telling[] = "\r\n :;,.%&=?/\\\"'{}[]()<>-+eE0159\x7f\x80\xff\t\x01";
    const uint32_t changes = 1 + random_below(4);

    for (uint32_t i = 0; i < changes && size > 16; i++) {
        const size_t at = random_below((uint32_t)size - 8), count = 1 + random_below(7);

        switch (random_below(6)) {
        case 0:
            bytes[at] = (char)random_below(256);
            break;
        case 1:
            bytes[at] = telling[random_below(sizeof(telling))]; /* its NUL byte included */
            break;
        case 2:
            bytes[at] = (char)(bytes[at] ^ 1 << random_below(8));
            break;
        case 3: /* gone */
            memmove(bytes + at, bytes + at + count, size - at - count);
            size -= count;
            break;
        case 4: /* twice */
            if (size + count < REQUEST_MAX) {
                memmove(bytes + at + count, bytes + at, size - at);
                size += count;
            }
            break;
        default: { /* from elsewhere */
            const size_t from = random_below((uint32_t)size - 8);

            memmove(bytes + at, bytes + from, count < size - at ? count : size - at);
        }
        }
    }
    return size;
}

struct tally {
    size_t accepted, refused, silent;
};

/* A whole status line, of those that stand in the contract; or an end without a word. */
static void judge(int fd, struct tally *tally)
{
    static char reply[65536];
    int status = 0;

    cr_expect(posencd_read(fd, ANSWER_MS, reply, sizeof(reply)), "a connection stays open: %.200s",
              reply);
    if (*reply == '\0') {
        tally->silent++;
        return;
    }
    cr_expect_eq(sscanf(reply, "HTTP/1.1 %d ", &status), 1, "%.200s", reply);
    cr_expect(status >= 200 && status != 500, "%.300s", reply);
    *(status < 400 ? &tally->accepted : &tally->refused) += 1;
}

Test(attack_mutation, changed_requests_are_answered_or_closed, .timeout = 600)
{
    static const char *const flags[] = {"--send-timeout=1", NULL};
    const int rounds = getenv("ATTACK_ALL") ? ROUNDS_ALL : ROUNDS;
    struct attacked attacked = attack_start(flags);
    struct tally tally = {0};
    static char bytes[REQUEST_MAX];
    int fds[BATCH];

    record_all();
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < BATCH; i++) {
            const struct recorded *const one = &requests[random_below((uint32_t)request_count)];
            size_t size;

            memcpy(bytes, one->bytes, one->size);
            size = mutate(bytes, one->size);
            fds[i] = posencd_connect(&attacked.server);
            (void)send(fds[i], bytes, size, MSG_NOSIGNAL);
            (void)shutdown(fds[i], SHUT_WR);
        }
        for (size_t i = 0; i < BATCH; i++) {
            judge(fds[i], &tally);
            (void)close(fds[i]);
        }
        cr_assert_eq(attack_get(&attacked.server, "/livez", NULL), 200, "after round %d", round);
    }
    (void)printf("%d changed requests: %zu accepted, %zu refused, %zu closed without a word\n",
                 rounds * BATCH, tally.accepted, tally.refused, tally.silent);
    cr_expect_gt(tally.accepted, 0);
    cr_expect_gt(tally.refused, 0);
    attack_stop(&attacked);
}
