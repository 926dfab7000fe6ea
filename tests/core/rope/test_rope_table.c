/* Tables and rotations in any run of elements, in any memory. */
#include <criterion/criterion.h>

#include "support.h"

static const char *const table_queries[] = {
    "length=7&dim=10&table_layout=pairs",
    "length=7&dim=10&table_layout=half",
    "length=7&dim=10&table_layout=interleaved",
    "length=7&dim=10&table_layout=cos_sin",
    "length=7&dim=200&arithmetic=ggml",
    "length=7&dim=200&arithmetic=float32&dtype=bfloat16",
    "length=3&dim=12&mrope_section=2,2,2&mrope_order=interleaved&arithmetic=ggml",
    "preset=pixtral&grid=3,5&dim=24",
    "preset=dinov3&grid=3,5&dim=24&arithmetic=float32",
    "preset=gemma4_vision&grid=3,5&dim=24&table_layout=half",
    "preset=kimi_k25_vision&grid=3,5&dim=24&table_layout=interleaved",
    "preset=vjepa2&grid=2,3,2&dim=26&table_layout=half",
};

Test(rope_table, any_run_of_any_table_has_the_same_bits)
{
    uint64_t seed = 1;

    for (size_t i = 0; i < sizeof(table_queries) / sizeof(*table_queries); i++) {
        struct asked asked;

        cr_assert_eq(ask(&asked, "rope/table", table_queries[i]), POSENC_OK, "%s: %s",
                     table_queries[i], asked.problem.detail);
        assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

static const char *const apply_queries[] = {
    "layout=half&rotary_dim=20&rotary_offset=3",
    "layout=interleaved&arithmetic=ggml&sequence_axis=-3",
    "layout=deinterleaved&rotary_dim=22",
    "layout=deinterleaved&rotary_dim=22&inverse=true",
    "layout=mixed&arithmetic=float32",
    "preset=gemma4_vision&grid=1,3",
    "preset=vjepa2&grid=1,1,3",
};

Test(rope_table, any_run_of_any_rotation_has_the_same_bits)
{
    static const size_t shape[] = {2, 3, 3, 24};
    double numbers[2 * 3 * 3 * 24];
    uint64_t seed = 2;

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        numbers[i] = (double)(i * 37 % 101) - 50;
    for (size_t i = 0; i < sizeof(apply_queries) / sizeof(*apply_queries); i++) {
        const struct posenc_member member = {"x", support_array(numbers, 4, shape)};
        struct asked asked;

        cr_assert_eq(ask_with(&asked, "rope/apply", apply_queries[i], &member, 1), POSENC_OK,
                     "%s: %s", apply_queries[i], asked.problem.detail);
        assert_runs_agree(&asked, &seed);
        asked_release(&asked);
    }
}

Test(rope_table, memory_that_ends_is_an_answer)
{
    static const size_t shape[] = {3, 24};
    static double numbers[3 * 24];
    const struct posenc_member center = {"center", posenc_number(4)};
    const struct posenc_member members[] = {{"q", support_array(numbers, 2, shape)},
                                            {"k", support_array(numbers, 2, shape)},
                                            {"xpos", posenc_object(&center, 1)}};

    (void)assert_memory_ends_well("rope/table", "preset=vjepa2&grid=2,3,2&dim=26", NULL, 0);
    (void)assert_memory_ends_well("rope/table", "length=7&dim=10&arithmetic=ggml", NULL, 0);
    (void)assert_memory_ends_well("rope/apply", "layout=half", members, 3);
}

static void expect_types(const char *query, enum posenc_dtype table, enum posenc_dtype frequencies)
{
    struct asked asked;

    cr_assert_eq(ask(&asked, "rope/table", query), POSENC_OK, "%s: %s", query,
                 asked.problem.detail);
    cr_expect_eq(posenc_find_tensor(&asked.result, "cos")->dtype, table, "%s", query);
    cr_expect_eq(posenc_find_tensor(&asked.result, "inv_freq")->dtype, frequencies, "%s", query);
    cr_expect_eq(posenc_find_tensor(&asked.result, "interpolation_weight")->dtype, frequencies,
                 "%s", query);
    cr_expect_str_eq(echoed_text(&asked.result, "dtype"), posenc_dtype_name(table), "%s", query);
    cr_expect_str_eq(echoed_text(&asked.result, "frequency_dtype"), posenc_dtype_name(frequencies),
                     "%s", query);
    asked_release(&asked);
}

Test(rope_table, frequencies_are_full_unless_a_type_is_named_and_the_echo_names_both)
{
    expect_types("length=2&dim=4", POSENC_FLOAT32, POSENC_FLOAT64);
    expect_types("length=2&dim=4&dtype=null", POSENC_FLOAT32, POSENC_FLOAT64);
    expect_types("length=2&dim=4&dtype=float32", POSENC_FLOAT32, POSENC_FLOAT32);
    expect_types("length=2&dim=4&dtype=bfloat16", POSENC_BFLOAT16, POSENC_BFLOAT16);
    expect_types("length=2&dim=4&frequency_dtype=float16", POSENC_FLOAT32, POSENC_FLOAT16);
    expect_types("length=2&dim=4&dtype=float16&frequency_dtype=float64", POSENC_FLOAT16,
                 POSENC_FLOAT64);
}
