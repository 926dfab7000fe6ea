/* From a handler's response to one of the library's. */
#ifndef REPLY_H
#define REPLY_H

#include <microhttpd.h>

#define REPLY_BLOCK_BYTES                                                                          \
    262144U /* asked of read() at one time; larger blocks delay neighbours                         \
             */
#define REPLY_SMALL_BYTES                                                                          \
    65536U /* bodies up to this size are read at once and sent in one piece                        \
            */

struct transaction;

/* Queues transaction->response. MHD_NO, and the connection is cut, when memory is out. */
enum MHD_Result reply_queue(struct transaction *transaction, struct MHD_Connection *mhd);

/* 503 when there is no memory for a transaction either. */
enum MHD_Result reply_without_memory(struct MHD_Connection *mhd);

#endif
