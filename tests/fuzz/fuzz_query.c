/* Feeds bytes to the reader of query strings, and holds its promises against what comes out. */
#include <stdlib.h>
#include <string.h>

#include "query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const query = malloc(size + 1);
    struct posenc_memory memory;
    struct posenc_value object;
    struct body_problem problem;

    if (!query)
        return 0;
    memcpy(query, data, size);
    query[size] = '\0';
    posenc_memory_init(&memory, (size_t)1 << 26);
    if (!read_query(query, &memory, &object, &problem) &&
        (problem.no_memory || problem.offset > size || problem.detail[0] == '\0'))
        abort();
    posenc_memory_release(&memory);
    free(query);
    return 0;
}
