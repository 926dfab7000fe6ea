/* xPos: queries grow, keys shrink, scores depend on distances. */
#include <math.h>

#include "asking.h"

/* Factors are right to an ulp; numbers here are below 8. */
#define FACTOR_ERROR 2e-15

#define F64                                                                                        \
    {                                                                                              \
        "dtype", posenc_text("float64")                                                            \
    }
#define HALF                                                                                       \
    {                                                                                              \
        "layout", posenc_text("half")                                                              \
    }

/* Without frequencies nothing turns, and the factors stand alone. */
#define STILL                                                                                      \
    {                                                                                              \
        "inv_freq", LIST(0, 0, 0, 0)                                                               \
    }

Test(rope_xpos, zeta_is_that_of_the_paper)
{
    const struct posenc_member center = {"center", posenc_number(0)};
    struct asked asked;

    ask(&asked, "rope", "apply", F64, HALF, STILL, {"xpos", posenc_object(&center, 1)},
        {"positions", LIST(512)}, {"q", ROWS(1, 8, 1, 1, 1, 1, 1, 1, 1, 1)},
        {"k", ROWS(1, 8, 1, 1, 1, 1, 1, 1, 1, 1)});
    EXPECT_VALUES(&asked, "q", FACTOR_ERROR, 2 / 7.0, 13 / 28.0, 9 / 14.0, 23 / 28.0, 2 / 7.0,
                  13 / 28.0, 9 / 14.0, 23 / 28.0);
    EXPECT_VALUES(&asked, "k", FACTOR_ERROR, 7 / 2.0, 28 / 13.0, 14 / 9.0, 28 / 23.0, 7 / 2.0,
                  28 / 13.0, 14 / 9.0, 28 / 23.0);
    posenc_memory_release(&asked.memory);
}

Test(rope_xpos, the_center_is_half_the_length)
{
    const struct posenc_member base = {"scale_base", posenc_number(1)};
    struct asked asked;

    ask(&asked, "rope", "apply", F64, HALF, {"inv_freq", LIST(0)},
        {"xpos", posenc_object(&base, 1)}, {"x", ROWS(5, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)});
    EXPECT_VALUES(&asked, "x", 2e-14, 49 / 4.0, 49 / 4.0, 7 / 2.0, 7 / 2.0, 1, 1, 2 / 7.0, 2 / 7.0,
                  4 / 49.0, 4 / 49.0);
    const struct posenc_value echo = posenc_find_argument(&asked.arguments, "xpos")->value;

    cr_expect_eq(posenc_find_member(&echo, "center")->as.number, 2.0);
    posenc_memory_release(&asked.memory);
}

Test(rope_xpos, inverse_undoes_turn_and_factor)
{
    const struct posenc_member center = {"center", posenc_number(7)};
    struct asked there, back;
    double turned[8];

    ask(&there, "rope", "apply", F64, HALF, {"xpos", posenc_object(&center, 1)},
        {"positions", LIST(700)}, {"k", ROWS(1, 8, 1, 2, 3, 4, 5, 6, 7, 8)});
    for (size_t i = 0; i < 8; i++)
        turned[i] = asked_value(&there, "k", i);
    ask(&back, "rope", "apply", F64, HALF, {"xpos", posenc_object(&center, 1)},
        {"positions", LIST(700)}, {"inverse", posenc_boolean(true)},
        {"k", asking_rows(1, 8, turned)});
    EXPECT_VALUES(&back, "k", 1e-14, 1, 2, 3, 4, 5, 6, 7, 8);
    posenc_memory_release(&there.memory);
    posenc_memory_release(&back.memory);
}

Test(rope_xpos, refuses_factors_that_overflow_and_centers_nobody_named)
{
    const struct posenc_member center = {"center", posenc_number(0)};
    struct asked asked;

    ask(&asked, "rope", "apply", HALF, {"xpos", posenc_object(&center, 1)},
        {"positions", LIST(1e9)}, {"x", ROWS(1, 2, 1, 1)});
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "xpos");
    posenc_memory_release(&asked.memory);
    ask(&asked, "rope", "apply", HALF, {"xpos", posenc_object(NULL, 0)}, {"positions", LIST(3, 9)},
        {"x", ROWS(2, 2, 1, 1, 1, 1)});
    expect_refusal(&asked, POSENC_MISSING_PARAMETER, "xpos.center");
    posenc_memory_release(&asked.memory);
}
