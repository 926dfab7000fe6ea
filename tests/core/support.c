#include "support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"

#define NUMBERS_MAX 256

void asked_init(struct asked *asked)
{
    posenc_memory_init(&asked->memory, POSENC_MEMORY_DEFAULT);
}

void asked_release(struct asked *asked)
{
    posenc_memory_release(&asked->memory);
}

/* Numbers where all comma-separated pieces are, as the reader of query strings does. */
static struct posenc_value untyped(struct posenc_memory *memory, const char *text)
{
    struct posenc_value value = {.kind = POSENC_UNTYPED, .as.untyped = {.text = text}};
    double *numbers = posenc_allocate(memory, NUMBERS_MAX, sizeof(*numbers));
    size_t count = 0;

    cr_assert_not_null(numbers);
    for (const char *rest = text; count < NUMBERS_MAX;) {
        char *end;

        numbers[count] = strtod(rest, &end);
        if (end == rest || (*end != '\0' && *end != ','))
            return value;
        count++;
        if (*end == '\0')
            break;
        rest = end + 1;
    }
    value.as.untyped.numbers = numbers;
    value.as.untyped.count = count;
    return value;
}

struct posenc_value support_object(struct posenc_memory *memory, const char *query,
                                   const struct posenc_member *members, size_t count)
{
    const size_t size = query ? strlen(query) + 1 : 1;
    char *copy = posenc_allocate(memory, size, 1);
    struct posenc_member *all = posenc_allocate(memory, SUPPORT_MEMBERS_MAX, sizeof(*all));
    char *place = NULL;
    size_t filled = 0;

    cr_assert_not_null(copy);
    cr_assert_not_null(all);
    memcpy(copy, query ? query : "", size);
    for (char *piece = strtok_r(copy, "&", &place); piece; piece = strtok_r(NULL, "&", &place)) {
        char *equals = strchr(piece, '=');

        cr_assert_not_null(equals);
        *equals = '\0';
        cr_assert_lt(filled, SUPPORT_MEMBERS_MAX);
        all[filled++] = (struct posenc_member){piece, untyped(memory, equals + 1)};
    }
    cr_assert_leq(filled + count, SUPPORT_MEMBERS_MAX);
    for (size_t i = 0; i < count; i++)
        all[filled++] = members[i];
    return posenc_object(all, filled);
}

static const struct posenc_operation *find_operation(const char *path,
                                                     const struct posenc_encoding **encoding)
{
    char name[64];
    const char *slash = strchr(path, '/');

    cr_assert_not_null(slash);
    (void)snprintf(name, sizeof(name), "%.*s", (int)(slash - path), path);
    *encoding = posenc_find(name);
    cr_assert_not_null(*encoding, "%s", name);
    const struct posenc_operation *operation = posenc_find_operation(*encoding, slash + 1);

    cr_assert_not_null(operation, "%s", path);
    return operation;
}

static enum posenc_status bind_and_plan(struct asked *asked, const char *path,
                                        const struct posenc_value *input)
{
    const struct posenc_encoding *encoding;
    const struct posenc_operation *operation = find_operation(path, &encoding);
    const struct posenc_schema schema = {.groups = operation->groups,
                                         .presets = encoding->presets,
                                         .takes_tensors = operation->takes_tensors};
    const enum posenc_status status =
        posenc_bind(&schema, input, &asked->memory, &asked->arguments, &asked->problem);

    if (status != POSENC_OK)
        return status;
    return posenc_plan(encoding, operation, &asked->arguments, &asked->memory, &asked->result,
                       &asked->problem);
}

enum posenc_status ask_with(struct asked *asked, const char *operation, const char *query,
                            const struct posenc_member *members, size_t count)
{
    asked_init(asked);
    const struct posenc_value input = support_object(&asked->memory, query, members, count);

    return bind_and_plan(asked, operation, &input);
}

enum posenc_status ask(struct asked *asked, const char *operation, const char *query)
{
    return ask_with(asked, operation, query, NULL, 0);
}

unsigned char *asked_bytes(struct asked *asked, const struct posenc_tensor *tensor)
{
    unsigned char *bytes = posenc_allocate(&asked->memory, (size_t)posenc_tensor_bytes(tensor), 1);

    cr_assert_not_null(bytes);
    posenc_fill(tensor, 0, tensor->count, bytes);
    return bytes;
}

const double *asked_values(struct asked *asked, const char *name)
{
    const struct posenc_tensor *tensor = posenc_find_tensor(&asked->result, name);

    cr_assert_not_null(tensor, "%s", name);
    double *values = posenc_allocate(&asked->memory, tensor->count, sizeof(*values));

    cr_assert_not_null(values);
    posenc_widen(tensor->dtype, asked_bytes(asked, tensor), tensor->count, values);
    return values;
}

static const struct posenc_value *echoed(const struct posenc_result *result, const char *name)
{
    const struct posenc_value parameters =
        posenc_object(result->parameters.items, result->parameters.count);
    const struct posenc_value *value = posenc_find_member(&parameters, name);

    cr_assert_not_null(value, "no echo of %s", name);
    return value;
}

double echoed_number(const struct posenc_result *result, const char *name)
{
    cr_assert_eq(echoed(result, name)->kind, POSENC_NUMBER, "%s", name);
    return echoed(result, name)->as.number;
}

const char *echoed_text(const struct posenc_result *result, const char *name)
{
    cr_assert_eq(echoed(result, name)->kind, POSENC_TEXT, "%s", name);
    return echoed(result, name)->as.text;
}

struct posenc_value support_array(const double *numbers, size_t rank, const size_t *shape)
{
    struct posenc_array array = {.dtype = POSENC_FLOAT64, .rank = rank, .data = numbers};

    for (size_t axis = 0; axis < rank; axis++)
        array.shape[axis] = shape[axis];
    return posenc_nested(&array);
}

#define RUNS_MAX 24 /* places where a tensor is cut */

static int compare_sizes(const void *a, const void *b)
{
    const size_t left = *(const size_t *)a, right = *(const size_t *)b;

    return (left > right) - (left < right);
}

/* Cuts of [0, count], ascending, the first 0 and the last count. */
static void cut(size_t count, size_t cuts[RUNS_MAX + 1], uint64_t *seed)
{
    cuts[0] = 0;
    cuts[RUNS_MAX] = count;
    for (size_t i = 1; i < RUNS_MAX; i++)
        cuts[i] = exact_bits(seed) % (count + 1);
    qsort(cuts, RUNS_MAX + 1, sizeof(*cuts), compare_sizes);
}

void assert_runs_agree(struct asked *asked, uint64_t *seed)
{
    for (size_t t = 0; t < asked->result.tensor_count; t++) {
        const struct posenc_tensor *tensor = &asked->result.tensors[t];
        const size_t size = posenc_dtype_size(tensor->dtype);
        const size_t bytes = (size_t)posenc_tensor_bytes(tensor);
        const unsigned char *whole = asked_bytes(asked, tensor);
        unsigned char *parts = posenc_allocate(&asked->memory, bytes, 1);
        const size_t turn = exact_bits(seed) % RUNS_MAX;
        size_t cuts[RUNS_MAX + 1];

        cr_assert_not_null(parts);
        memset(parts, 0xa5, bytes);
        cut(tensor->count, cuts, seed);
        for (size_t i = 0; i < RUNS_MAX; i++) {
            const size_t run = (i * 7 + turn) % RUNS_MAX; /* 7 and 24 share no factor: all runs */

            posenc_fill(tensor, cuts[run], cuts[run + 1] - cuts[run], parts + cuts[run] * size);
        }
        cr_assert(bytes == 0 || memcmp(whole, parts, bytes) == 0, "tensor %s", tensor->name);
    }
}

/* The request is made in a memory of its own, so that only the library's allocations count. */
size_t assert_memory_ends_well(const char *operation, const char *query,
                               const struct posenc_member *members, size_t count)
{
    struct posenc_memory request;
    struct asked asked;
    struct posenc_result untouched;

    posenc_memory_init(&request, POSENC_MEMORY_DEFAULT);
    const struct posenc_value input = support_object(&request, query, members, count);

    memset(&untouched, 0x5a, sizeof(untouched));
    for (size_t limit = 0;; limit += 64) {
        cr_assert_lt(limit, (size_t)1 << 24, "%s never has enough", operation);
        posenc_memory_init(&asked.memory, limit);
        memcpy(&asked.result, &untouched, sizeof(untouched));
        const enum posenc_status status = bind_and_plan(&asked, operation, &input);

        cr_assert_leq(asked.memory.used, limit);
        if (status == POSENC_OK) {
            posenc_memory_release(&asked.memory);
            posenc_memory_release(&request);
            return limit;
        }
        cr_assert_eq(status, POSENC_NO_MEMORY, "%s at %zu bytes: %s", operation, limit,
                     posenc_status_text(status));
        cr_assert_eq(asked.problem.status, POSENC_NO_MEMORY);
        cr_assert_eq(memcmp(&asked.result, &untouched, sizeof(untouched)), 0);
        posenc_memory_release(&asked.memory);
    }
}

bool is_allowed(const struct posenc_problem *problem, const char *name)
{
    for (size_t i = 0; i < problem->allowed_count; i++)
        if (strcmp(problem->allowed[i], name) == 0)
            return true;
    return false;
}
