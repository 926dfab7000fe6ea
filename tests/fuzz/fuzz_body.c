/* Feeds bytes to the reader of JSON bodies, and holds its promises against what comes out. */
#include <stdlib.h>

#include "body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct posenc_memory memory;
    struct posenc_value value;
    struct body_problem problem;

    posenc_memory_init(&memory, (size_t)1 << 26);
    if (!read_json_body((const char *)data, size, &memory, &value, &problem)) {
        /* The memory is ample, so jansson has refused what the scan let pass, if it is said to be
         * out. */
        if (problem.no_memory || problem.offset > size || problem.detail[0] == '\0')
            abort();
    }
    posenc_memory_release(&memory);
    return 0;
}
