/* Feeds texts to the readers of Accept and Accept-Encoding: what is chosen was offered. */
#include <stdlib.h>
#include <string.h>

#include "coding.h"
#include "negotiate.h"
#include "weighted.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_list(const struct request *request, const char *value, size_t size)
{
    struct weighted_list list;
    struct weighted element;
    size_t count = 0;

    weighted_begin(&list, request, "Accept");
    while (weighted_next(&list, &element)) {
        if (element.name < value || element.length > (size_t)(value + size - element.name) ||
            element.quality < 0 || element.quality > 1000)
            abort();
        count++;
    }
    if (count > WEIGHTED_MAX)
        abort();
}

static void check_coding(const struct request *request, bool is_worth_it)
{
    struct codings codings;
    enum coding coding = CODING_COUNT;

    codings_read(request, &codings);
    for (size_t i = 0; i < CODING_COUNT; i++)
        if (codings.quality[i] < 0 || codings.quality[i] > 1000)
            abort();
    if (codings_choose(&codings, is_worth_it, &coding) &&
        (coding >= CODING_COUNT || codings.quality[coding] == 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const offered[] = {"application/json", "application/x-npy", "text/csv"};
    char *const value = malloc(size + 1);

    if (!value)
        return 0;
    memcpy(value, data, size);
    value[size] = '\0';

    const struct header headers[] = {{"Accept", value}, {"Accept-Encoding", value}};
    const struct request request = {.headers = headers, .header_count = 2};
    const int best = negotiate(&request, offered, 3);

    if (best < -1 || best > 2)
        abort();
    check_list(&request, value, size);
    check_coding(&request, false);
    check_coding(&request, true);
    free(value);
    return 0;
}
