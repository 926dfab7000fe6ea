/* Rotations as people get them wrong: values of 40 digits, and their names by identify. */
#include "asking_fault.h"
#include "exact.h"

/* Rotated vectors of numbers below 16 carry a few ulp of that. */
#define ROTATION_ERROR 1e-14

#define WIDE ROWS(1, 6, 1, -2, 3, 5, 7, -11)

Test(rope_faults, pairwise_repeated_frequencies_split_in_the_middle)
{
    struct asked asked;

    ask_fault(&asked, "rope", "apply", "split_repeated", TEXT("dtype", "float64"),
              {"positions", LIST(1)}, TEXT("layout", "half"), {"x", ROWS(1, 4, 1, 2, 3, 4)});
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, -1.9841106485555498026, -2.2852793274953065918,
                  3.009849834584162498, 4.0197996683349944405);
    posenc_memory_release(&asked.memory);
    ask_fault(&asked, "rope", "apply", "split_repeated", TEXT("dtype", "float64"),
              {"positions", LIST(3)}, TEXT("layout", "interleaved"), NUMBER("base", 523.7),
              {"x", WIDE});
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, -1.6955925368997815678, 0.99214493678182035984,
                  6.7947857102633214107, 5.0213254938512950537, 6.9002234997047015332,
                  -10.849802329674991623);
    posenc_memory_release(&asked.memory);
}

Test(rope_faults, cosines_and_sines_exchanged_in_either_layout)
{
    struct asked asked;

    ask_fault(&asked, "rope", "apply", "exchanged_cos_sin", TEXT("dtype", "float64"),
              {"positions", LIST(0, 1)}, TEXT("layout", "half"),
              {"x", ROWS(2, 4, 1, 2, 3, 4, 1, 2, 3, 4)});
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, -3, -4, 1, 2, -0.77943593279652264555,
                  -3.9798003349983277818, 3.0647152602918292374, 2.0398993341699972143);
    posenc_memory_release(&asked.memory);
    ask_fault(&asked, "rope", "apply", "exchanged_cos_sin", TEXT("dtype", "float64"),
              {"positions", LIST(3)}, TEXT("layout", "interleaved"), NUMBER("base", 523.7),
              {"x", WIDE});
    EXPECT_VALUES(&asked, "x", ROTATION_ERROR, -1.8388649851410236924, -1.2722325127201799015,
                  -3.5667137961772395235, 4.6128681637522381154, 11.3113804394072366,
                  6.4848032009456810541);
    posenc_memory_release(&asked.memory);
}

/* Many rows of one vector each are made anew rather than kept, where they are right. */
Test(rope_faults, each_row_of_a_long_tensor_is_exchanged)
{
    enum { LENGTH = 6000, WIDTH = 4 };
    static double x[LENGTH * WIDTH];
    struct asked asked;
    uint64_t seed = 7;

    for (size_t i = 0; i < LENGTH * WIDTH; i++)
        x[i] = exact_between(&seed, -9, 9);
    ask_fault(&asked, "rope", "apply", "exchanged_cos_sin", TEXT("dtype", "float64"),
              TEXT("layout", "interleaved"), {"x", asking_rows(LENGTH, WIDTH, x)});
    for (size_t row = 0; row < LENGTH; row += 17) {
        const double *in = x + row * WIDTH, c = cos((double)row), s = sin((double)row);

        cr_expect_float_eq(asked_value(&asked, "x", row * WIDTH), in[0] * s - in[1] * c,
                           ROTATION_ERROR, "row %zu", row);
        cr_expect_float_eq(asked_value(&asked, "x", row * WIDTH + 1), in[1] * s + in[0] * c,
                           ROTATION_ERROR, "row %zu", row);
    }
    posenc_memory_release(&asked.memory);
}

/* The caller's own tables, which need not be of angles: exchanged by hand they give the same. */
Test(rope_faults, tables_that_were_sent_are_exchanged_too)
{
    static const char *const layouts[] = {"half", "interleaved", "mixed"};
    const struct posenc_value a = ROWS(2, 3, 1, 2, -3, 0.5, 7, 4),
                              b = ROWS(2, 3, 5, 1, 2, 8, -1, 6);

    for (size_t i = 0; i < 3; i++) {
        const struct posenc_value x = ROWS(2, 6, 1, -2, 3, 5, 7, -11, 4, 3, 2, 1, 0, -1);
        struct asked right, wrong;

        ask(&right, "rope", "apply", {"x", x}, {"cos", b}, {"sin", a}, TEXT("layout", layouts[i]),
            TEXT("dtype", "float64"));
        ask_fault(&wrong, "rope", "apply", "exchanged_cos_sin", {"x", x}, {"cos", a}, {"sin", b},
                  TEXT("layout", layouts[i]), TEXT("dtype", "float64"));
        for (size_t j = 0; j < 12; j++)
            cr_expect_eq(asked_value(&wrong, "x", j), asked_value(&right, "x", j), "%s, %zu",
                         layouts[i], j);
        posenc_memory_release(&wrong.memory);
        posenc_memory_release(&right.memory);
    }
}

/* x / zeta^-1 and x zeta: only which of the two is cosine differs. */
Test(rope_faults, xpos_scales_exchanged_rows_as_it_scales_right_ones)
{
    struct asked asked;

    /* One pair at position 512, scale_base 512 and center 0: zeta = gamma / (1 + gamma) = 2 / 7. */
    const struct posenc_member center[] = {NUMBER("scale_base", 512), NUMBER("center", 0)};
    const struct posenc_member given = {"xpos", posenc_object(center, 2)};

    ask_fault(&asked, "rope", "apply", "exchanged_cos_sin", {"q", ROWS(1, 2, 3, 5)},
              {"k", ROWS(1, 2, 3, 5)}, {"positions", LIST(512)}, TEXT("layout", "half"), given,
              TEXT("dtype", "float64"));
    EXPECT_VALUES(&asked, "q", ROTATION_ERROR, (3 * sin(512) - 5 * cos(512)) * 2 / 7,
                  (5 * sin(512) + 3 * cos(512)) * 2 / 7);
    EXPECT_VALUES(&asked, "k", 4 * ROTATION_ERROR, (3 * sin(512) - 5 * cos(512)) * 7 / 2,
                  (5 * sin(512) + 3 * cos(512)) * 7 / 2);
    posenc_memory_release(&asked.memory);
}

/* sin 0, 1, 0.01 in front of their cosines. */
Test(rope_faults, a_joined_table_with_sines_first)
{
    struct asked asked;

    ask_fault(&asked, "rope", "table", "exchanged_cos_sin", TEXT("dtype", "float64"),
              NUMBER("dim", 4), NUMBER("length", 2), TEXT("table_layout", "cos_sin"));
    EXPECT_VALUES(&asked, "cos_sin", 1e-16, 0, 0, 1, 1, 0.84147098480789650665,
                  0.0099998333341666646825, 0.5403023058681397174, 0.99995000041666527778);
    posenc_memory_release(&asked.memory);
    ask_fault(&asked, "rope", "table", "exchanged_cos_sin", NUMBER("dim", 4), NUMBER("length", 2));
    expect_refusal(&asked, POSENC_CONFLICT, "table_layout");
    posenc_memory_release(&asked.memory);
}

/* Entry by entry as a report prints it. */
#define REPORTED ROWS(1, 4, -1.984110649, -2.285279327, 3.009849835, 4.019799668)
#define X        ROWS(1, 4, 1, 2, 3, 4)

Test(rope_faults, a_split_of_repeated_frequencies_is_named)
{
    const struct posenc_member actual = {"actual", REPORTED}, x = {"x", X};

    expect_named("mistaken", "split_repeated", actual, x, TEXT("encoding", "rope"),
                 PARAMETERS(TEXT("layout", "half"), {"positions", LIST(1)}));
    expect_named("mistaken", "split_repeated", actual, x, TEXT("encoding", "rope"),
                 PARAMETERS(TEXT("layout", "interleaved"), {"positions", LIST(1)}));
    expect_named("mistaken", "split_repeated", actual, x, TEXT("encoding", "rope"),
                 PARAMETERS({"positions", LIST(1)}));
    expect_named("identified", "split_repeated", actual, x, PARAMETERS({"positions", LIST(1)}));
}

static void make_exchanged(double *out, const double *x)
{
    for (size_t row = 0; row < 4; row++, x += 4, out += 4)
        for (size_t i = 0; i < 2; i++) {
            const double angle = (double)row * (i ? 0.01 : 1);

            out[i] = x[i] * sin(angle) - x[i + 2] * cos(angle);
            out[i + 2] = x[i + 2] * sin(angle) + x[i] * cos(angle);
        }
}

Test(rope_faults, exchanged_cosines_and_sines_are_named)
{
    const double input[] = {1, 2, 3, 4, -2, 5, 0.5, 1, 3, 3, -7, 2, 4, -1, 6, 8};
    double wrong[16];

    make_exchanged(wrong, input);
    const struct posenc_member actual = {"actual", asking_rows(4, 4, wrong)};
    const struct posenc_member x = {"x", asking_rows(4, 4, input)};

    expect_named("mistaken", "exchanged_cos_sin", actual, x, TEXT("encoding", "rope"),
                 PARAMETERS(TEXT("layout", "half")));
    expect_named("identified", "exchanged_cos_sin", actual, x, TEXT("encoding", "rope"));
    expect_named("identified", "exchanged_cos_sin", actual, x);
}

/* Without its name such a table is a sinusoidal one. */
Test(rope_faults, a_joined_table_with_sines_first_is_named)
{
    const double w[] = {1, 0.1, 0.01, 0.001};
    double wrong[3 * 8];

    for (size_t i = 0; i < 3 * 8; i++)
        wrong[i] = (i % 8 < 4 ? sin : cos)((double)(i / 8) * w[i % 4]);
    const struct posenc_member actual = {"actual", asking_rows(3, 8, wrong)};

    expect_named("mistaken", "exchanged_cos_sin", actual, TEXT("encoding", "rope"),
                 PARAMETERS(NUMBER("dim", 8), TEXT("table_layout", "cos_sin")));
    expect_named("identified", "exchanged_cos_sin", actual, TEXT("encoding", "rope"));
    expect_named("identified", "", actual);
}

Test(rope_faults, right_rotations_have_no_fault)
{
    static const char *const layouts[] = {"half", "interleaved", "deinterleaved", "mixed"};

    for (size_t i = 0; i < 4; i++) {
        const struct posenc_value x = ROWS(3, 4, 1, 2, 3, 4, -2, 5, 0.5, 1, 3, 3, -7, 2);
        struct asked made;

        ask(&made, "rope", "apply", {"x", x}, TEXT("layout", layouts[i]), TEXT("dtype", "float64"));
        const struct posenc_member actual = {"actual", tensor_of(&made, "x")};

        expect_named("right", "", actual, {"x", x}, TEXT("encoding", "rope"),
                     PARAMETERS(TEXT("layout", layouts[i])));
        expect_named("mistaken", "", actual, {"x", x}, TEXT("encoding", "rope"),
                     PARAMETERS(TEXT("layout", layouts[(i + 1) % 4])));
        expect_named("identified", "", actual, {"x", x});
        posenc_memory_release(&made.memory);
    }
}
