/* Content codings: which one a client gets, by Accept-Encoding (RFC 9110, section 12.5.3). */
#ifndef POSENC_CODING_H
#define POSENC_CODING_H

#include "exchange.h"

/* From the one that is taken where a client likes two equally well. */
enum coding { CODING_ZSTD, CODING_GZIP, CODING_IDENTITY, CODING_COUNT };

/* As Content-Encoding says it; NULL for none. */
const char *coding_name(enum coding coding);

/* How much a client likes each, in thousandths; 0: refused. */
struct codings {
    int quality[CODING_COUNT];
};

/*
 * Without the header no coding is wanted. One that is not named is refused, but for identity, which
 * is then the last choice; "*" speaks for gzip and identity, since zstd is not known everywhere.
 */
void codings_read(const struct request *request, struct codings *codings);

/* The best one, for a body that is worth compressing or not. False when none is acceptable. */
bool codings_choose(const struct codings *codings, bool is_worth_it, enum coding *coding);

#endif
