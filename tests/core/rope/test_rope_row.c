/* The arithmetics of cos and sin. */
#include <math.h>

#include "asking.h"

/* libm's float functions may be an ulp from the correctly rounded value; values are below 1. */
#define FLOAT_ERROR 6e-8

/* A macro, since the list must outlive the answer. */
#define ask_table(asked, dialect, position)                                                        \
    ask((asked), "rope", "table", {"dim", posenc_number(8)}, {"positions", LIST(position)},        \
        {"arithmetic", posenc_text(dialect)})

Test(rope_row, ggml_carries_theta_from_pair_to_pair)
{
    const float scale = powf(10000.0f, -2.0f / 8.0f);
    float theta = 131071.0f;
    struct asked asked;

    ask_table(&asked, "ggml", 131071);
    for (size_t pair = 0; pair < 4; pair++, theta *= scale) {
        cr_expect_float_eq(asked_value(&asked, "cos", pair), cosf(theta), FLOAT_ERROR);
        cr_expect_float_eq(asked_value(&asked, "sin", pair), sinf(theta), FLOAT_ERROR);
    }
    posenc_memory_release(&asked.memory);
}

Test(rope_row, ggml_carries_one_theta_an_axis)
{
    const float scale = powf(10000.0f, -2.0f / 8.0f);
    float first = 30001.0f, second = 70001.0f;
    struct asked asked;

    ask(&asked, "rope", "table", {"dim", posenc_number(8)}, {"arithmetic", posenc_text("ggml")},
        {"mrope_section", LIST(2, 1, 1)}, {"mrope_order", posenc_text("interleaved")},
        {"positions", ROWS(3, 1, 30001, 70001, 5)});
    for (size_t pair = 0; pair < 4; pair++, first *= scale, second *= scale)
        if (pair != 2)
            cr_expect_float_eq(asked_value(&asked, "cos", pair), cosf(pair == 1 ? second : first),
                               FLOAT_ERROR);
    posenc_memory_release(&asked.memory);
}

Test(rope_row, float32_rounds_the_angle)
{
    const float frequency = 1.0f / powf(10000.0f, 2.0f / 8.0f);
    struct asked asked;

    ask_table(&asked, "float32", 131071);
    cr_expect_float_eq(asked_value(&asked, "cos", 1), cosf(131071.0f * frequency), FLOAT_ERROR);
    cr_expect_neq(asked_value(&asked, "cos", 1), (float)cos(131071 * 0.1));
    posenc_memory_release(&asked.memory);
}

Test(rope_row, a_bfloat16_table_is_the_exact_one_rounded)
{
    struct asked exact, rounded;

    ask(&exact, "rope", "table", {"dim", posenc_number(8)}, {"positions", LIST(4095)},
        {"dtype", posenc_text("bfloat16")});
    ask_table(&rounded, "bfloat16_table", 4095);
    for (size_t pair = 0; pair < 4; pair++)
        cr_expect_eq(asked_value(&rounded, "sin", pair), asked_value(&exact, "sin", pair));
    posenc_memory_release(&exact.memory);
    posenc_memory_release(&rounded.memory);
}

Test(rope_row, the_float32_rotation_rounds_the_tensor_first)
{
    struct asked asked;

    ask(&asked, "rope", "apply", {"layout", posenc_text("half")}, {"dtype", posenc_text("float64")},
        {"arithmetic", posenc_text("float32")}, {"positions", LIST(0)},
        {"x", ROWS(1, 2, 0.1, 0.2)});
    EXPECT_VALUES(&asked, "x", 0, 0.1f, 0.2f);
    posenc_memory_release(&asked.memory);
}
