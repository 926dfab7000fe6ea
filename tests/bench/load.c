#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frame.h"

#define ANSWER_MAX    8192 /* bytes of a small answer, head and body */
#define EVENTS_MAX    512
#define SILENCE_MS    20000 /* a server that says nothing for so long does not work */
#define DOWNLOAD_SIZE ((size_t)256 << 10)

struct load_connection {
    int fd;
    size_t used; /* bytes of the answer so far */
    char answer[ANSWER_MAX + 1];
};

int load_connect(unsigned port)
{
    const int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bench_require(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0,
                  "the server takes no connection");
    return fd;
}

void load_send(int fd, const char *bytes, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        const ssize_t count = send(fd, bytes + sent, size - sent, MSG_NOSIGNAL);

        bench_require(count > 0, "the server does not take the request");
        sent += (size_t)count;
    }
}

void load_open(struct load *load, unsigned port, const char *request, size_t connections)
{
    *load = (struct load){.request = request,
                          .size = strlen(request),
                          .connections = connections,
                          .each = bench_allocate(connections * sizeof(*load->each)),
                          .epoll_fd = epoll_create1(EPOLL_CLOEXEC)};
    bench_require(load->epoll_fd >= 0, "no epoll");
    for (size_t i = 0; i < connections; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = &load->each[i]}};

        load->each[i].fd = load_connect(port);
        load->each[i].used = 0;
        bench_require(epoll_ctl(load->epoll_fd, EPOLL_CTL_ADD, load->each[i].fd, &event) == 0,
                      "no epoll for a connection");
    }
}

void load_close(struct load *load)
{
    for (size_t i = 0; i < load->connections; i++)
        (void)close(load->each[i].fd);
    (void)close(load->epoll_fd);
    free(load->each);
}

/* Bytes of head and body of an answer; 0 while the head is not complete. */
static uint64_t answer_size(const char *answer, size_t *head_size)
{
    const char *const end = strstr(answer, "\r\n\r\n");
    const char *const length = strcasestr(answer, "\r\nContent-Length: ");

    if (!end)
        return 0;
    bench_require(strncmp(answer, "HTTP/1.1 200", 12) == 0, "the server refuses a request");
    bench_require(length != NULL && length < end, "an answer without its length");
    *head_size = (size_t)(end - answer) + 4;
    return *head_size + strtoull(length + 18, NULL, 10);
}

/* Takes what has come; true when that completes the answer. */
static bool connection_take(struct load_connection *connection)
{
    const ssize_t got = recv(connection->fd, connection->answer + connection->used,
                             ANSWER_MAX - connection->used, 0);
    size_t head_size;

    bench_require(got > 0, "the server closes a connection");
    connection->used += (size_t)got;
    connection->answer[connection->used] = '\0';
    if (connection->used != answer_size(connection->answer, &head_size)) {
        bench_require(connection->used < ANSWER_MAX, "an answer is too long");
        return false;
    }
    connection->used = 0;
    return true;
}

void load_run(struct load *load, size_t requests)
{
    struct epoll_event events[EVENTS_MAX];
    size_t asked = 0, answered = 0;
    uint64_t last_ns = bench_wall_ns();

    load->longest_silence_ns = 0;
    for (; asked < load->connections && asked < requests; asked++)
        load_send(load->each[asked].fd, load->request, load->size);
    while (answered < requests) {
        const int ready = epoll_wait(load->epoll_fd, events, EVENTS_MAX, SILENCE_MS);
        const uint64_t now_ns = bench_wall_ns();

        bench_require(ready > 0 || (ready < 0 && errno == EINTR), "the server is silent");
        if (now_ns - last_ns > load->longest_silence_ns)
            load->longest_silence_ns = now_ns - last_ns;
        for (int i = 0; i < ready; i++) {
            struct load_connection *const connection = events[i].data.ptr;

            if (!connection_take(connection))
                continue;
            answered++;
            if (asked < requests) {
                load_send(connection->fd, load->request, load->size);
                asked++;
            }
        }
        last_ns = bench_wall_ns();
    }
}

size_t load_begin_download(int fd, const char *request, uint64_t *left)
{
    char answer[ANSWER_MAX + 1];
    size_t used = 0, head_size = 0;
    uint64_t size;

    load_send(fd, request, strlen(request));
    do {
        const ssize_t got = recv(fd, answer + used, ANSWER_MAX - used, 0);

        bench_require(got > 0, "the server gives no answer");
        used += (size_t)got;
        answer[used] = '\0';
        size = answer_size(answer, &head_size);
        bench_require(size > 0 || used < ANSWER_MAX, "an answer's head is too long");
    } while (size == 0);
    *left = size - used;
    return used - head_size;
}

void load_read_away(int fd, uint64_t left)
{
    char *const scrap = malloc(DOWNLOAD_SIZE);

    bench_require(scrap != NULL, "out of memory");
    while (left > 0) {
        const ssize_t got = recv(fd, scrap, left < DOWNLOAD_SIZE ? left : DOWNLOAD_SIZE, 0);

        bench_require(got > 0, "an answer ends too early");
        left -= (uint64_t)got;
    }
    free(scrap);
}
