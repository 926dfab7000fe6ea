/* A client of many connections in a closed loop: each asks again as soon as it is answered. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stddef.h>
#include <stdint.h>

struct load {
    const char *request;
    size_t size; /* of the request, bytes */
    size_t connections;
    struct load_connection *each;
    int epoll_fd;
    uint64_t longest_silence_ns; /* between two answers of any connections, of the last run */
};

/* Connects to a port of 127.0.0.1. The request must outlive it. Release with load_close(). */
void load_open(struct load *load, unsigned port, const char *request, size_t connections);
void load_close(struct load *load);

/* Asks `requests` times in all and returns when everything is answered, with 200 each. */
void load_run(struct load *load, size_t requests);

/* A blocking socket connected to a port of 127.0.0.1. */
int load_connect(unsigned port);

/* Asks once on a connection of its own and reads the answer's head; returns the bytes of body that
 * came with it, and the length that is still to come. */
size_t load_begin_download(int fd, const char *request, uint64_t *left);

/* Reads `left` bytes and drops them. */
void load_read_away(int fd, uint64_t left);

/* Sends all bytes. */
void load_send(int fd, const char *bytes, size_t size);

#endif
