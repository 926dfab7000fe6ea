/* Problem documents (RFC 9457): what a request is refused with. */
#ifndef POSENC_PROBLEM_H
#define POSENC_PROBLEM_H

#include "exchange.h"

/* What one says. Texts that are NULL or empty are left out. */
struct report {
    unsigned status;
    const char *slug; /* of the type, "urn:posenc:problem:<slug>"; in words it is the title */
    const char *detail;
    const char *parameter, *value, *suggestion;
    const char *const *allowed;
    size_t allowed_count;
    bool has_offset, has_limit;
    uint64_t offset, limit;
};

/* Answers with a problem; also when memory is out. Headers that the response has are kept. */
void respond_report(const struct request *request, const struct report *report,
                    struct response *response);

#endif
