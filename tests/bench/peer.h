/* What libmicrohttpd alone can do. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

/* Serves until it is killed; prints a line that ends with ":PORT" first. */
_Noreturn void peer_serve(void);

#endif
