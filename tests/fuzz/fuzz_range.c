/* Feeds texts to the reader of byte ranges: a part lies inside the body, whatever was asked. */
#include <stdlib.h>
#include <string.h>

#include "conditional.h"
#include "range.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct request *request, uint64_t length)
{
    struct byte_range range = {0, 0};
    char text[RANGE_TEXT_SIZE];

    if (range_read(request, length, &range) != RANGE_PART)
        return;
    if (range.count == 0 || range.first >= length || range.count > length - range.first)
        abort();
    range_print(&range, length, text);
    if (strlen(text) + 1 > RANGE_TEXT_SIZE || strncmp(text, "bytes ", 6) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t lengths[] = {0, 1, 1000, UINT64_MAX - 1};
    char *const value = malloc(size + 1);

    if (!value)
        return 0;
    memcpy(value, data, size);
    value[size] = '\0';

    const struct header headers[] = {
        {"Range", value}, {"If-None-Match", value}, {"If-Range", value}};
    const struct request request = {.headers = headers, .header_count = 3};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check(&request, lengths[i]);
    if (has_tag(&request, "\"abc\"") && has_any(&request))
        abort();
    if (may_continue(&request, "\"abc\"") != (strcmp(value, "\"abc\"") == 0))
        abort();
    free(value);
    return 0;
}
