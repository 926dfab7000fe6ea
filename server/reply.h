/* From a handler's response to one of the library's. */
#ifndef REPLY_H
#define REPLY_H

#include <microhttpd.h>

/* Asked of read() at one time. Twice as much would make a stream a quarter cheaper, and cost twice
 * the memory for each client that does not read. */
#define REPLY_BLOCK_BYTES 262144U

/* Bodies up to this size are read at once and sent in one piece. */
#define REPLY_SMALL_BYTES 65536U

struct transaction;

/* Queues transaction->response. MHD_NO, and the connection is cut, when memory is out. */
enum MHD_Result reply_queue(struct transaction *transaction, struct MHD_Connection *mhd);

/* 503 when there is no memory for a transaction either. */
enum MHD_Result reply_without_memory(struct MHD_Connection *mhd);

#endif
