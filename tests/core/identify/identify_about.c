#include "identify_about.h"

#include <stdlib.h>

/* Small tensors of many conventions, from which parameters are changed. */
const struct sample about_bases[] = {
    {"sinusoidal", "table", "length=12&dim=16&base=523.7"},
    {"sinusoidal", "table", "length=9&dim=24&offset=5&layout=sin_cos"},
    {"sinusoidal", "apply", "x=@9x16&offset=3"},
    {"sinusoidal_grid", "table", "grid=3,4&dim=16&axis_order=xy&pair_layout=interleaved"},
    {"timestep", "table", "timesteps=0,1,17,999,0.5,250.25&dim=32&preset=ddpm"},
    {"rope", "table", "length=14&dim=16&base=500000"},
    {"rope", "table", "length=14&dim=32&table_layout=half&offset=1000"},
    {"rope", "table",
     "length=14&dim=64&offset=900&scaling.rope_type=yarn&scaling.factor=4&"
     "scaling.original_max_position_embeddings=4096"},
    {"rope", "table",
     "length=9&dim=128&base=500000&offset=8000&scaling.rope_type=llama3&scaling.factor=8&"
     "scaling.low_freq_factor=1&scaling.high_freq_factor=4&"
     "scaling.original_max_position_embeddings=8192"},
    {"rope", "apply", "x=@2x9x16&layout=half&offset=70"},
    {"rope", "apply", "x=@9x32&layout=interleaved&rotary_dim=16&base=523.7"},
    {"alibi", "table", "heads=12&query_length=7&key_length=9"},
    {"alibi", "table", "heads=6&query_length=8&form=symmetric"},
    {"alibi", "apply", "scores=@6x7x9"},
    {"t5", "table", "num_buckets=32&max_distance=128&bidirectional=true&query_length=40"},
    {"swin", "table", "window=3,4&version=1"},
    {"transformer_xl", "table", "variant=transformer_xl&length=20&dim=16"},
    {"kerple", "table", "kind=log&a=1,2,0.5&p=1,0.25,2&query_length=9"},
    {"sandwich", "table", "heads=6&dim=64&query_length=9"},
};
const size_t about_base_count = sizeof(about_bases) / sizeof(*about_bases);

/* bfloat16 last: its name ends with none of the others'. */
const enum posenc_dtype about_dtypes[4] = {POSENC_FLOAT64, POSENC_FLOAT32, POSENC_FLOAT16,
                                           POSENC_BFLOAT16};

uint64_t about_draw(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

size_t about_draw_below(uint64_t *state, size_t count)
{
    return (size_t)about_draw(state) % count;
}

static bool is_applied_name(const char *name)
{
    return strcmp(name, "x") == 0 || strcmp(name, "scores") == 0;
}

void about_read(const struct sample *sample, struct posenc_memory *memory,
                struct asking_about *about)
{
    const struct posenc_value input = sample_input(sample, NULL, memory);

    cr_assert(input.kind == POSENC_OBJECT && input.as.object.count < 20);
    *about = (struct asking_about){
        .sample = sample,
        .operation = posenc_find_operation(posenc_find(sample->encoding), sample->operation)};
    for (size_t i = 0; i < input.as.object.count; i++)
        if (strcmp(sample->operation, "apply") == 0 &&
            is_applied_name(input.as.object.items[i].name))
            about->applied = input.as.object.items[i];
        else
            about->members[about->count++] = input.as.object.items[i];
}

/* What the encoding makes of the members in a type. */
enum posenc_status about_make(const struct asking_about *about, const struct posenc_members *given,
                              enum posenc_dtype dtype, struct posenc_memory *memory,
                              struct posenc_result *result)
{
    struct posenc_member all[64];
    const struct posenc_value told = posenc_object(given->items, given->count);
    struct posenc_problem problem;
    size_t count = 0;

    for (size_t i = 0; i < given->count; i++)
        if (strcmp(given->items[i].name, "dtype") != 0)
            all[count++] = given->items[i];
    for (size_t i = 0; i < about->count; i++) /* tensors are not echoed */
        if (about->members[i].value.kind == POSENC_ARRAY &&
            about->members[i].value.as.array.rank > 1 &&
            !posenc_find_member(&told, about->members[i].name))
            all[count++] = about->members[i];
    all[count++] = (struct posenc_member){"dtype", posenc_text(posenc_dtype_name(dtype))};
    if (about->applied.name)
        all[count++] = about->applied;
    return posenc_make(about->sample->encoding, about->sample->operation, posenc_object(all, count),
                       memory, result, &problem);
}

struct posenc_value about_values(const struct posenc_tensor *tensor, struct posenc_memory *memory)
{
    struct posenc_array array = {.dtype = tensor->dtype, .rank = tensor->rank};
    void *elements = posenc_allocate(memory, tensor->count, posenc_dtype_size(tensor->dtype));

    cr_assert_not_null(elements);
    memcpy(array.shape, tensor->shape, sizeof(array.shape));
    posenc_fill(tensor, 0, tensor->count, elements);
    array.data = elements;
    return posenc_nested(&array);
}

void about_ask(const struct asking_about *about, struct posenc_value actual, const char *part,
               struct asked *asked)
{
    struct posenc_member members[6] = {
        {"actual", actual},
        {"encoding", posenc_text(about->sample->encoding)},
        {"part", posenc_text(part)},
        {"parameters", posenc_object(about->members, about->count)},
    };
    size_t count = 4;

    if (about->applied.name)
        members[count++] = (struct posenc_member){"x", about->applied.value};
    ask_members(asked, NULL, "identify", members, count);
    cr_assert_eq(asked->status, POSENC_OK, "%s: %s", about->sample->request, asked->problem.detail);
}

static const struct posenc_value *first_explanation(const struct asked *asked)
{
    const struct posenc_value object = {.kind = POSENC_OBJECT, .as.object = asked->result.derived};
    const struct posenc_value *explanations = posenc_find_member(&object, "explanations");

    return explanations && explanations->as.list.count > 0 ? &explanations->as.list.items[0] : NULL;
}

/* Two numbers under the agreement of an explanation: rounded once to a type, or printed. */
static bool is_same_number(double a, double b, double magnitude, const char *agreement)
{
    const char *decimals = strstr(agreement, "printed to ");
    enum posenc_dtype dtype = POSENC_FLOAT64;
    unsigned char element[8];

    if (decimals)
        return fabs(a - b) <= 0.5000001 * pow(10, -strtod(decimals + 11, NULL));
    for (size_t i = 0; i < sizeof(about_dtypes) / sizeof(*about_dtypes); i++)
        if (strstr(agreement, posenc_dtype_name(about_dtypes[i])))
            dtype = about_dtypes[i];
    posenc_round(dtype, &a, 1, element);
    posenc_widen(dtype, element, 1, &a);
    posenc_round(dtype, &b, 1, element);
    posenc_widen(dtype, element, 1, &b);
    return a == b || (dtype == POSENC_FLOAT64 && fabs(a - b) <= 4.5e-16 * magnitude);
}

/* An explanation that says "same" must give the tensor, asked as its parameters say. */
void about_expect_reproduced(const struct asking_about *about, const struct posenc_array *actual,
                             const char *part, const struct asked *asked)
{
    const struct posenc_value *explanation = first_explanation(asked);
    struct posenc_memory memory;
    struct posenc_result result;
    double was, is, magnitude = 0;

    if (!explanation || posenc_find_member(explanation, "view") ||
        posenc_find_member(explanation, "fault") ||
        strcmp(posenc_find_member(explanation, "agreement")->as.text, "same") != 0)
        return;
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    const enum posenc_status status =
        about_make(about, &posenc_find_member(explanation, "parameters")->as.object,
                   actual->dtype == POSENC_INT32 || actual->dtype == POSENC_INT64 ? POSENC_FLOAT64
                                                                                  : actual->dtype,
                   &memory, &result);
    const struct posenc_tensor *tensor =
        status == POSENC_OK ? posenc_find_tensor(&result, part) : NULL;

    cr_expect_not_null(tensor, "%s: %s cannot be repeated", about->sample->request,
                       asked_text(asked, "statement"));
    for (size_t i = 0; tensor && i < tensor->count; i++) {
        unsigned char element[8];

        posenc_fill(tensor, i, 1, element);
        posenc_widen(tensor->dtype, element, 1, &is);
        posenc__read_array(actual, i, 1, &was);
        magnitude = isfinite(was) ? fmax(magnitude, fabs(was)) : magnitude;
        cr_assert(is_same_number(was, is, magnitude,
                                 posenc_find_member(explanation, "agreement_in_words")->as.text),
                  "%s: %s [%zu]: %.17g, not %.17g", about->sample->request,
                  asked_text(asked, "statement"), i, is, was);
    }
    posenc_memory_release(&memory);
}

bool about_is_comparable(const struct posenc_array *array)
{
    size_t count;
    double first, number;

    cr_assert(posenc_shape_count(array->rank, array->shape, &count));
    for (size_t i = 0; i < count; i++) {
        posenc__read_array(array, 0, 1, &first);
        posenc__read_array(array, i, 1, &number);
        if (number != first)
            return true;
    }
    return false;
}
