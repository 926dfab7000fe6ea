/* What must hold of every answer: right tensors are right, and what nothing made is not named. */
#include "identify_about.h"

/* Every tensor of a sample in a type, sent with what it was made with. */
static void expect_right(const struct sample *sample, enum posenc_dtype dtype)
{
    struct posenc_memory memory;
    struct posenc_result result;
    struct asking_about about;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    about_read(sample, &memory, &about);
    const struct posenc_members given = {about.members, about.count};

    cr_assert_eq(about_make(&about, &given, dtype, &memory, &result), POSENC_OK, "%s",
                 sample->request);
    for (size_t i = 0; i < result.tensor_count; i++) {
        const struct posenc_tensor *tensor = &result.tensors[i];
        struct asked asked;

        if (about.applied.name && strcmp(tensor->name, about.applied.name) != 0)
            continue;
        const struct posenc_value actual = about_values(tensor, &memory);

        if (!about_is_comparable(&actual.as.array))
            continue;
        about_ask(&about, actual, tensor->name, &asked);
        cr_expect_str_eq(asked_text(&asked, "verdict"), "right", "%s %s %s in %s: %s",
                         sample->encoding, sample->request, tensor->name,
                         posenc_dtype_name(tensor->dtype), asked_text(&asked, "statement"));
        about_expect_reproduced(&about, &actual.as.array, tensor->name, &asked);
        posenc_memory_release(&asked.memory);
    }
    posenc_memory_release(&memory);
}

Test(identify_properties, what_was_made_with_its_parameters_is_right)
{
    for (size_t i = 0; i < about_base_count; i++)
        for (size_t j = 0; j < sizeof(about_dtypes) / sizeof(*about_dtypes); j++)
            expect_right(&about_bases[i], about_dtypes[j]);
    for (size_t i = 0; i < sample_count; i++)
        if (strcmp(samples[i].encoding, "none") != 0)
            expect_right(&samples[i],
                         about_dtypes[i % (sizeof(about_dtypes) / sizeof(*about_dtypes))]);
}

/* Verdicts that name something. */
static bool is_named(const struct asked *asked)
{
    const char *verdict = asked_text(asked, "verdict");

    return strcmp(verdict, "right") == 0 || strcmp(verdict, "mistaken") == 0 ||
           strcmp(verdict, "identified") == 0;
}

Test(identify_properties, noise_is_never_named, .timeout = 1200)
{
    static const size_t shapes[][3] = {{1, 12, 0}, {3, 4, 0}, {7, 9, 0}, {9, 16, 0}, {2, 5, 8}};

    for (size_t i = 0; i < 20; i++) {
        const size_t *shape = shapes[i % (sizeof(shapes) / sizeof(*shapes))];
        const size_t rank = shape[2] > 0 ? 3 : 2;
        double noise[256];
        struct asked asked;

        draw_numbers(i, sizeof(noise) / sizeof(*noise), noise);
        ask(&asked, NULL, "identify", {"actual", tensor_value(rank, shape, noise)});
        cr_expect(!is_named(&asked), "%zu: %s", i, asked_text(&asked, "statement"));
        posenc_memory_release(&asked.memory);
    }
}

/* One element of a right tensor, a hundredth of the largest off. */
static void expect_unnamed_when_off(const struct sample *sample, uint64_t *state)
{
    struct posenc_memory memory;
    struct posenc_result result;
    struct asking_about about;
    struct asked asked;
    size_t element;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    about_read(sample, &memory, &about);
    const struct posenc_members given = {about.members, about.count};

    cr_assert_eq(about_make(&about, &given, POSENC_FLOAT64, &memory, &result), POSENC_OK);
    const struct posenc_tensor *tensor =
        about.applied.name ? posenc_find_tensor(&result, about.applied.name) : &result.tensors[0];
    struct posenc_value actual = about_values(tensor, &memory);
    double *numbers = posenc_allocate(&memory, tensor->count, sizeof(*numbers)), most = 0;

    cr_assert_not_null(numbers);
    posenc__read_array(&actual.as.array, 0, tensor->count, numbers);
    for (size_t i = 0; i < tensor->count; i++)
        most = isfinite(numbers[i]) ? fmax(most, fabs(numbers[i])) : most;
    do
        element = about_draw_below(state, tensor->count);
    while (!isfinite(numbers[element]));
    numbers[element] += 0.01 * most;
    actual = tensor_value(tensor->rank, tensor->shape, numbers);
    about_ask(&about, actual, tensor->name, &asked);
    cr_expect(!is_named(&asked), "%s %s: %s", sample->encoding, sample->request,
              asked_text(&asked, "statement"));
    posenc_memory_release(&asked.memory);
    posenc_memory_release(&memory);
}

Test(identify_properties, one_element_that_is_off_is_never_right, .timeout = 1200)
{
    uint64_t state = 7;

    for (size_t i = 0; i < 2 * about_base_count; i++)
        expect_unnamed_when_off(&about_bases[i % about_base_count], &state);
}
