#include "peer.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame.h"
#include "served.h"

struct peer {
    struct MHD_Response *hello, *buffer;
};

static enum MHD_Result peer_answer(void *cls, struct MHD_Connection *connection, const char *url,
                                   const char *method, const char *version, const char *upload_data,
                                   size_t *upload_data_size, void **con_cls)
{
    const struct peer *const peer = cls;

    (void)method, (void)version, (void)upload_data;
    if (!*con_cls) {
        *con_cls = (void *)(size_t)1; /* the first call: only the head has come */
        return MHD_YES;
    }
    if (*upload_data_size > 0) {
        *upload_data_size = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, 200,
                              strcmp(url, "/buffer") == 0 ? peer->buffer : peer->hello);
}

/* As posencd has: one a core, two at least. */
static unsigned peer_threads(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 2 ? 2 : (unsigned)cores;
}

/* A loop of its own with a listening socket of its own at one port, so that the system deals out
 * connections to all alike; in the library's pool the first thread takes most of them. Returns the
 * port, which 0 lets the system choose. */
static uint16_t peer_start_loop(struct peer *peer, uint16_t port)
{
    struct MHD_Daemon *const daemon =
        MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, port, NULL, NULL, peer_answer, peer,
                         MHD_OPTION_LISTENING_ADDRESS_REUSE, 1U, MHD_OPTION_END);
    const union MHD_DaemonInfo *info;

    bench_require(daemon != NULL, "the peer does not start");
    info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    bench_require(info != NULL, "the peer has no port");
    return info->port;
}

_Noreturn void peer_serve(void)
{
    static char hello[] = "{\"status\":\"ok\"}\n";
    struct peer peer = {
        MHD_create_response_from_buffer(sizeof hello - 1, hello, MHD_RESPMEM_PERSISTENT),
        MHD_create_response_from_buffer(SERVED_BUFFER_BYTES, bench_allocate(SERVED_BUFFER_BYTES),
                                        MHD_RESPMEM_PERSISTENT)};
    uint16_t port = 0;

    bench_require(peer.hello && peer.buffer &&
                      MHD_add_response_header(peer.hello, "Content-Type", "application/json") ==
                          MHD_YES,
                  "no answer");
    for (unsigned i = 0; i < peer_threads(); i++)
        port = peer_start_loop(&peer, port);
    (void)printf("peer at :%u\n", (unsigned)port);
    (void)fflush(stdout);
    for (;;)
        (void)pause();
}
