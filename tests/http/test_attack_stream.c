/* Hostile HTTP that is more than some bytes and an answer; and the count of all rows. */
#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include "attack.h"
#include "rows.h"

#define POST                                                                                       \
    "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"                \
    "Connection: close\r\n"

static int status_of(const char *reply)
{
    int status = 0;

    (void)sscanf(reply, "HTTP/1.1 %d", &status);
    return status;
}

static const struct attack_case limits[] = {
    {"H6", POST "Content-Length: 100001\r\n\r\n", NULL, 0, NULL, "413 body-too-large", NULL},
    {"H7", POST "Content-Length: 100000\r\n\r\n", " ", 100000, NULL, "400 malformed-body", NULL},
    {"H7", POST "Content-Length: 100000\r\n\r\n{\"length\":1,\"dim\":2}", " ", 99980, NULL, "200",
     NULL},
    {"H7", POST "Transfer-Encoding: chunked\r\n\r\n186A0\r\n{\"length\":1,\"dim\":2}", " ", 99980,
     "\r\n0\r\n\r\n", "200", NULL},
    {"H6", POST "Transfer-Encoding: chunked\r\n\r\n186A1\r\n{\"length\":1,\"dim\":2}", " ", 99981,
     "\r\n0\r\n\r\n", "413 body-too-large", NULL},
};
ROWS_OF(limits);

Test(attack_stream, a_body_may_be_as_long_as_the_limit_and_not_a_byte_more)
{
    static const char *const flags[] = {"--max-body-bytes=100000", NULL};
    struct attacked attacked = attack_start(flags);

    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
        attack_run(&attacked, &limits[i]);
    attack_stop(&attacked);
}

ROW(H9);

/* In the head, in the body, and between requests; long before the deadlines. Whoever still reads
 * may hear that it was too slow. */
Test(attack_stream, a_client_that_ends_before_its_request_is_whole_is_let_go)
{
    static const char *const requests[] = {
        POST "Content-Length: 200\r\n\r\n{\"length\":1,\"dim\":2}",
        POST "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"len",
        "GET /livez HTTP/1.1\r\nHo",
        "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    };
    static const char *const flags[] = {"--head-timeout=60", "--body-timeout=60",
                                        "--idle-timeout=60", NULL};
    struct attacked attacked = attack_start(flags);
    char reply[4096];
    int fds[40];

    for (size_t i = 0; i < 40; i++) {
        const char *const request = requests[i % 4];

        fds[i] = posencd_connect(&attacked.server);
        cr_assert_gt(send(fds[i], request, strlen(request), MSG_NOSIGNAL), 0);
        cr_assert_eq(shutdown(fds[i], SHUT_WR), 0);
    }
    for (size_t i = 0; i < 40; i++) {
        const int status = i % 4 == 3 ? 200 : 408;

        cr_expect(posencd_read(fds[i], 20000, reply, sizeof(reply)), "client %zu", i);
        cr_expect((*reply == '\0' && status == 408) || status_of(reply) == status, "%zu: %s", i,
                  reply);
        (void)close(fds[i]);
    }
    attack_stop(&attacked);
}

ROW(H17);

/* libmicrohttpd 0.9.75 takes rounds without end for a buffer that is full and holds no body. */
Test(attack_stream, a_chunk_extension_that_fills_the_buffer_costs_no_processor)
{
    static const struct attack_case one = {
        "H17", POST "Transfer-Encoding: chunked\r\n\r\n1;", "x", 70000, NULL, "", NULL};
    static const char *const flags[] = {"--body-timeout=4", NULL};
    struct attacked attacked = attack_start(flags);
    size_t size;
    char *const bytes = attack_bytes(&one, &size);
    long long cpu;
    int fds[8];

    for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++) {
        fds[i] = posencd_connect(&attacked.server);
        (void)send(fds[i], bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    (void)poll(NULL, 0, 300);
    cpu = attack_cpu_ms(attacked.server.pid);
    (void)poll(NULL, 0, 2000);
    cpu = attack_cpu_ms(attacked.server.pid) - cpu;
    cr_expect_lt(cpu, 600, "%lld ms of processor in two seconds", cpu);
    for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
        (void)close(fds[i]);
    free(bytes);
    attack_stop(&attacked);
}

ROW(H16);

/* A MiB of blanks, a byte a chunk: six bytes of the wire for each. */
Test(attack_stream, a_body_of_a_million_chunks_costs_what_its_bytes_cost)
{
    static const struct attack_case chunks = {
        "H16",        POST "Transfer-Encoding: chunked\r\n\r\n14\r\n{\"length\":1,\"dim\":2}\r\n",
        "1\r\n \r\n", 1 << 20,
        "0\r\n\r\n",  "200",
        NULL};
    static const char *const flags[] = {"--body-timeout=60", NULL};
    struct attacked attacked = attack_start(flags);
    struct attack_case few = chunks;
    long long before, grown;

    few.times = 1;
    attack_run(&attacked, &few); /* what any server keeps after its first requests does not count */
    before = attack_resident_bytes(attacked.server.pid);
    attack_run(&attacked, &chunks);
    grown = attack_resident_bytes(attacked.server.pid) - before;
    /* The body, twice while it grows or is read, and some for a sanitizer's quarantine. */
    cr_expect_lt(grown, 24LL << 20, "%lld bytes more", grown);
    attack_stop(&attacked);
}

ROW(H35);

/* A gigabyte of blanks in a megabyte: it is inflated up to the limit of bodies and not beyond. */
Test(attack_stream, a_compressed_bomb_is_refused_at_the_limit_of_bodies)
{
    static const char *const flags[] = {"--max-body-bytes=4MiB", "--body-timeout=60", NULL};
    static const char head[] = POST "Content-Encoding: gzip\r\nContent-Length: %zu\r\n\r\n";
    enum { BLOCK = 1 << 20, BLOCKS = 1024, ROOM = 2 << 20 };
    struct attacked attacked = attack_start(flags);
    char *const blanks = malloc(BLOCK), *const bytes = malloc(ROOM);
    char reply[4096];
    z_stream stream = {0};
    long long grown;
    size_t used, size;

    cr_assert(blanks && bytes);
    memset(blanks, ' ', BLOCK);
    cr_assert_eq(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = (Bytef *)bytes + 512;
    stream.avail_out = ROOM - 512;
    for (int i = 0; i < BLOCKS; i++) {
        stream.next_in = (Bytef *)blanks;
        stream.avail_in = BLOCK;
        cr_assert_eq(deflate(&stream, i + 1 == BLOCKS ? Z_FINISH : Z_NO_FLUSH),
                     i + 1 == BLOCKS ? Z_STREAM_END : Z_OK);
    }
    size = stream.total_out;
    cr_assert_eq(deflateEnd(&stream), Z_OK);
    used = (size_t)snprintf(bytes, 512, head, size);
    memmove(bytes + used, bytes + 512, size);

    grown = attack_resident_bytes(attacked.server.pid);
    (void)posencd_exchange(&attacked.server, bytes, used + size, 20000, reply, sizeof(reply));
    grown = attack_resident_bytes(attacked.server.pid) - grown;
    cr_expect_eq(status_of(reply), 413, "%s", reply);
    cr_expect(strstr(reply, "\"limit\":4194304"), "%s", reply);
    cr_expect_lt(grown, 32LL << 20, "%lld bytes more", grown);
    free(blanks);
    free(bytes);
    attack_stop(&attacked);
}

ROW(H38);

/* Answers of 400 MB in all, of which none is read: the server stops where the socket is full. */
Test(attack_stream, a_pipeline_whose_client_never_reads_is_cut)
{
    static const char one[] =
        "GET /v1/sinusoidal?length=1000&dim=100&format=npy HTTP/1.1\r\nHost: a\r\n\r\n";
    static const char *const flags[] = {"--send-timeout=1", NULL};
    struct attacked attacked = attack_start(flags);
    const long long before = attack_resident_bytes(attacked.server.pid);
    const int fd = posencd_connect(&attacked.server);
    long long grown;
    size_t fds;

    for (int i = 0; i < 1000; i++)
        (void)send(fd, one, strlen(one), MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)poll(NULL, 0, 500);
    grown = attack_resident_bytes(attacked.server.pid) - before;
    cr_expect_lt(grown, 32LL << 20, "%lld bytes more", grown);
    fds = attack_await_fds(attacked.server.pid, attacked.fds);
    cr_expect_leq(fds, attacked.fds, "it waits for ever");
    (void)close(fd);
    attack_stop(&attacked);
}

Test(attack_stream, every_row_of_http_has_a_test)
{
    cr_expect_eq(rows_without_test('H', 38), 0);
}
