/* Which representation a client gets: the parameters that shape it. */
#ifndef POSENC_REPRESENTATION_H
#define POSENC_REPRESENTATION_H

#include "exchange.h"
#include "format.h"

/* Parameters of every operation that shape the representation, not the values: format, tensor,
 * pretty, ... */
extern const struct posenc_parameter representation_rows[];

/* What a request asked for. */
struct representation {
    const struct format *format;
    const struct posenc_tensor
        *tensor; /* the one to carry, for formats that carry one; NULL when there is none */
    bool pretty;
    bool is_versioned; /* the request names the numeric version */
    const void *more;  /* what the format is told besides; NULL for those of the table */
};

/*
 * Reads the representation from the bound arguments (which include representation_rows), the
 * result's tensors, and the Accept headers. False when it has answered with a problem instead: an
 * unknown format, tensor or version, or nothing that the client accepts (406).
 */
bool read_representation(const struct request *request, const struct posenc_arguments *arguments,
                         const struct posenc_result *result, struct representation *representation,
                         struct response *response);

#endif
