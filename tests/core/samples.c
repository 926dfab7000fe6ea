/* Requests to every encoding. */
#include "samples.h"

#include <stdlib.h>
#include <string.h>

const struct sample samples[] = {
    {"sinusoidal", "table", "length=300&dim=74&layout=interleaved"},
    {"sinusoidal", "table", "length=300&dim=74&layout=sin_cos&offset=1000000.5&step=0.25"},
    {"sinusoidal", "table", "length=200&dim=75&odd=extra_sine&offset=100&step=-1"},
    {"sinusoidal", "table", "length=200&dim=75&odd=zero_pad&layout=cos_sin&padding_idx=3"},
    {"sinusoidal", "table", "length=90&dim=64&base=523.7&output_scale=-0.3&position_scale=0.1"},
    {"sinusoidal", "table", "positions=0,1,2,3,64,65,1e9,2.5,-7,9007199254740992&dim=130"},
    {"sinusoidal", "table", "length=90&dim=64&arithmetic=float32"},
    {"sinusoidal", "table", "length=40&dim=1500"},
    {"sinusoidal", "apply", "x=@2x70x48&offset=31"},
    {"sinusoidal_grid", "table", "grid=9,11&dim=64&axis_order=xy&prefix_tokens=1"},
    {"sinusoidal_grid", "table",
     "grid=9,70&dim=64&axis_order=yx&pair_layout=interleaved&normalize=true&coordinate_start=1"},
    {"timestep", "table", "timesteps=0,1,17,999,0.5,250.25&dim=67&preset=ddpm"},
    {"timestep", "table", "timesteps=0,1,17,999,0.5,250.25&dim=64&preset=dit&scale=1000"},
    {"learned", "table", "rows=40&dim=24&init=normal&seed=7&generator=torch"},
    {"learned", "table", "rows=40&dim=24&init=normal&seed=7&generator=jax"},
    {"learned", "table", "rows=40&dim=24&init=truncated_normal&seed=7&generator=jax"},
    {"learned", "table", "rows=40&dim=24&init=normal&seed=7&generator=numpy"},
    {"rope", "table", "length=300&dim=74&table_layout=half"},
    {"rope", "table", "length=300&dim=74&table_layout=pairs&offset=123456789"},
    {"rope", "table", "length=300&dim=74&table_layout=interleaved&direction=-1"},
    {"rope", "table", "length=300&dim=74&table_layout=cos_sin&arithmetic=bfloat16_table"},
    {"rope", "table", "length=90&dim=64&table_layout=half&arithmetic=float32"},
    {"rope", "table", "length=90&dim=64&table_layout=half&arithmetic=ggml"},
    {"rope", "apply", "x=@2x3x70x64&layout=half"},
    {"rope", "apply", "x=@2x3x40x64&layout=interleaved&rotary_dim=48&offset=5000"},
    {"rope", "apply", "x=@3x40x64&layout=half&arithmetic=float32"},
    {"alibi", "table", "heads=12&query_length=70"},
    {"alibi", "table", "heads=12&query_length=40&key_length=90&form=symmetric&one_sided=true"},
    {"alibi", "table", "heads=6&query_length=40&form=key_index&arithmetic=bfloat16"},
    {"alibi", "apply", "scores=@2x6x40x60"},
    {"t5", "table",
     "num_buckets=32&max_distance=128&bidirectional=true&query_length=90&table=@32x6"},
    {"deberta", "table", "query_length=90&position_buckets=16&max_relative_positions=64"},
    {"shaw", "table", "query_length=30&table=@17x8"},
    {"swin", "table", "window=5,6&version=1&table=@99x3"},
    {"transformer_xl", "table", "variant=transformer_xl&length=300&dim=64"},
    {"transformer_xl", "table", "variant=conformer&length=90&dim=64"},
    {"transformer_xl", "table", "variant=xlnet&length=90&dim=64&attention=bi&clamp_len=40"},
    {"music_transformer", "table", "x=@2x20x20"},
    {"kerple", "table", "kind=log&a=1,2,0.5&p=1,0.25,2&query_length=90"},
    {"kerple", "table", "kind=power&a=1,2,0.5&p=1,0.25,2&query_length=50"},
    {"sandwich", "table", "heads=6&dim=64&query_length=90"},
    {"fire", "table", "c=0.1&threshold=4&query_length=60"},
    {"fire", "table",
     "c=0.1&threshold=4&query_length=40&weights.w1=@8x1&weights.b1=@8&weights.w2=@4x8&"
     "weights.b2=@4"},
    {"cope", "table", "q=@3x20x8&position_embeddings=@6x8&logits=@3x20x20"},
    {"none", "table", ""},
};

const size_t sample_count = sizeof(samples) / sizeof(*samples);

/* SplitMix64 (Steele, Lea and Flood, 2014), as a number in [-1, 1) with 20 bits. */
static double draw(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)(z >> 44) * 0x1p-19 - 1;
}

static struct posenc_value drawn_tensor(const char *shape, struct posenc_memory *memory)
{
    struct posenc_array array = {.dtype = POSENC_FLOAT64};
    uint64_t seed = 1;
    size_t count = 1;
    char *end;

    for (const char *at = shape; *at; at = *end ? end + 1 : end) {
        array.shape[array.rank] = strtoul(at, &end, 10);
        count *= array.shape[array.rank++];
    }
    double *const numbers = posenc_allocate(memory, count, sizeof(*numbers));

    for (size_t i = 0; numbers && i < count; i++)
        numbers[i] = draw(&seed);
    array.data = numbers;
    return numbers ? posenc_nested(&array) : posenc_null();
}

static struct posenc_value list_of(const char *text, struct posenc_memory *memory)
{
    size_t count = 0;
    double *const numbers = posenc_allocate(memory, strlen(text), sizeof(*numbers));
    char *end;

    for (const char *at = text; numbers && *at; at = *end ? end + 1 : end)
        numbers[count++] = strtod(at, &end);
    return numbers ? posenc_numbers(numbers, count) : posenc_null();
}

static struct posenc_value value_of(const char *text, struct posenc_memory *memory)
{
    char *end;
    const double number = strtod(text, &end);

    if (*text == '@')
        return drawn_tensor(text + 1, memory);
    if (strchr(text, ','))
        return list_of(text, memory);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return posenc_boolean(*text == 't');
    return *end == '\0' ? posenc_number(number) : posenc_text(text);
}

#define MEMBERS_MAX 16

/* The members of a request; those named "object.member" make one object. */
struct members {
    struct posenc_member outer[MEMBERS_MAX], inner[MEMBERS_MAX];
    size_t outer_count, inner_count;
    const char *object; /* name of the object, or NULL */
};

static void add_member(struct members *members, char *name, struct posenc_value value)
{
    char *const dot = strchr(name, '.');

    if (!dot) {
        members->outer[members->outer_count++] = (struct posenc_member){name, value};
        return;
    }
    *dot = '\0';
    members->object = name;
    members->inner[members->inner_count++] = (struct posenc_member){dot + 1, value};
}

static void read_request(struct members *members, char *request, struct posenc_memory *memory)
{
    char *rest = NULL;

    for (char *pair = strtok_r(request, "&", &rest); pair; pair = strtok_r(NULL, "&", &rest)) {
        char *const value = strchr(pair, '=');

        *value = '\0';
        add_member(members, pair, value_of(value + 1, memory));
    }
    if (members->object)
        members->outer[members->outer_count++] = (struct posenc_member){
            members->object, posenc_object(members->inner, members->inner_count)};
}

struct posenc_value sample_input(const struct sample *sample, const enum posenc_dtype *dtype,
                                 struct posenc_memory *memory)
{
    struct members *const members = posenc_allocate(memory, 1, sizeof(*members));
    const size_t length = strlen(sample->request) + 1;
    char *const request = posenc_allocate(memory, length, 1);

    if (!members || !request)
        return posenc_null();
    memcpy(request, sample->request, length);
    members->outer_count = members->inner_count = 0;
    members->object = NULL;
    if (dtype && strcmp(sample->encoding, "none") != 0)
        members->outer[members->outer_count++] =
            (struct posenc_member){"dtype", posenc_text(posenc_dtype_name(*dtype))};
    read_request(members, request, memory);
    return posenc_object(members->outer, members->outer_count);
}

enum posenc_status sample_plan(const struct sample *sample, enum posenc_dtype dtype,
                               struct posenc_memory *memory, struct posenc_result *result,
                               struct posenc_problem *problem)
{
    const struct posenc_value input = sample_input(sample, &dtype, memory);

    if (input.kind != POSENC_OBJECT)
        return POSENC_NO_MEMORY;
    return posenc_make(sample->encoding, sample->operation, input, memory, result, problem);
}
