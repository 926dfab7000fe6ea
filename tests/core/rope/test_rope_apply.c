/* Rotation in each layout, and what the widths say. */
#include <math.h>

#include "asking.h"

/* Rotated vectors of numbers below 16 carry a few ulp of that. */
#define ROTATION_ERROR 1e-14

#define F64                                                                                        \
    {                                                                                              \
        "dtype", posenc_text("float64")                                                            \
    }
#define ONE_TO_8                                                                                   \
    {                                                                                              \
        "x", ROWS(1, 8, 1, 2, 3, 4, 5, 6, 7, 8)                                                    \
    }
#define AT_3                                                                                       \
    {                                                                                              \
        "positions", LIST(3)                                                                       \
    }
#define LAID(l)                                                                                    \
    {                                                                                              \
        "layout", posenc_text(l)                                                                   \
    }

Test(rope_apply, each_layout_pairs_its_own_channels)
{
    struct asked asked;

    ask(&asked, "rope", "apply", F64, ONE_TO_8, AT_3, LAID("interleaved"));
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, -1.2722325127201799, -1.8388649851410237,
                  1.6839286407314598, 4.7079065764864428, 4.8177771675299636, 6.1472777035064034,
                  6.9759685360236088, 8.0209639685270142);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "apply", F64, ONE_TO_8, AT_3, LAID("half"));
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, -1.6955925368997816, 0.13755173828317459,
                  2.7886815998294929, 3.9759820360134838, -4.8088424749423601, 6.3230593480763153,
                  7.0868367368503996, 8.0119639820270081);
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "apply", F64, ONE_TO_8, AT_3, LAID("deinterleaved"));
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, -1.2722325127201799, 1.6839286407314598,
                  4.8177771675299636, 6.9759685360236088, -1.8388649851410237, 4.7079065764864428,
                  6.1472777035064034, 8.0209639685270142);
    posenc_memory_release(&asked.memory);
}

Test(rope_apply, the_mixed_layout_has_no_inverse)
{
    struct asked asked;

    ask(&asked, "rope", "apply", ONE_TO_8, LAID("mixed"), {"inverse", posenc_boolean(true)});
    expect_refusal(&asked, POSENC_CONFLICT, "inverse");
    posenc_memory_release(&asked.memory);
}

Test(rope_apply, channels_that_do_not_turn_keep_their_bits)
{
    struct asked asked;

    ask(&asked, "rope", "apply", F64, LAID("half"), AT_3, {"rotary_dim", posenc_number(4)},
        {"rotary_offset", posenc_number(2)}, {"x", ROWS(1, 8, 0.1, 0.2, 1, 2, 3, 4, 0.7, 0.8)});
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, 0.1, 0.2, cos(3.0) - 3 * sin(3.0),
                  2 * cos(0.03) - 4 * sin(0.03), 3 * cos(3.0) + sin(3.0),
                  4 * cos(0.03) + 2 * sin(0.03), 0.7, 0.8);
    cr_expect_eq(asked_value(&asked, "x", 1), 0.2);
    cr_expect_eq(asked_value(&asked, "x", 7), 0.8);
    posenc_memory_release(&asked.memory);
}

Test(rope_apply, a_table_takes_a_layout_that_does_not_change_it)
{
    struct asked plain, laid;

    ask(&plain, "rope", "table", {"dim", posenc_number(8)}, {"length", posenc_number(3)});
    ask(&laid, "rope", "table", {"dim", posenc_number(8)}, {"length", posenc_number(3)},
        LAID("interleaved"));
    for (size_t i = 0; i < 12; i++)
        cr_expect_eq(asked_value(&plain, "cos", i), asked_value(&laid, "cos", i));
    cr_expect_str_eq(posenc_find_argument(&laid.arguments, "layout")->value.as.text, "interleaved");
    posenc_memory_release(&plain.memory);
    posenc_memory_release(&laid.memory);
}
