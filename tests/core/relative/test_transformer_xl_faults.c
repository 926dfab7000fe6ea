/* Rows of distances as people get them wrong, and their names by identify. */
#include "asking_fault.h"

#define ERROR 1e-15
#define DIM   6
#define KEYS  4

static double angle_of(const char *fault, double distance, size_t pair, bool is_cosine)
{
    const double step = pow(10000, -2.0 / DIM), exponent = (double)pair;

    if (strcmp(fault, "exponents_zero") == 0)
        return distance;
    if (strcmp(fault, "frequencies_from_one") == 0)
        return distance * pow(step, exponent + 1);
    return distance * pow(step, exponent + (is_cosine ? 0.5 : 0)); /* exponent_by_column */
}

static double element_of(const char *fault, double distance, bool is_interleaved, size_t column)
{
    const bool is_cosine = is_interleaved ? column % 2 != 0 : column >= DIM / 2;
    const size_t pair = is_interleaved ? column / 2 : column % (DIM / 2);
    const double angle = angle_of(fault, distance, pair, is_cosine);

    return is_cosine ? cos(angle) : sin(angle);
}

static const char *const faults[] = {"exponents_zero", "frequencies_from_one",
                                     "exponent_by_column"};

/* Distances 3, 2, 2, 1, ... of four keys, clamped at 2; and 3 to -3 of the Conformer. */
Test(transformer_xl_faults, rows_of_each_variant_by_hand)
{
    for (size_t i = 0; i < 3; i++) {
        struct asked asked;

        ask_fault(&asked, "transformer_xl", "table", faults[i], NUMBER("length", KEYS),
                  NUMBER("dim", DIM), NUMBER("clamp_len", 2), TEXT("dtype", "float64"));
        for (size_t j = 0; j < KEYS * DIM; j++)
            cr_expect_float_eq(
                asked_value(&asked, "encoding", j),
                element_of(faults[i], fmin(2, KEYS - 1 - (double)(j / DIM)), false, j % DIM), ERROR,
                "%s, element %zu", faults[i], j);
        posenc_memory_release(&asked.memory);
        ask_fault(&asked, "transformer_xl", "table", faults[i], NUMBER("length", KEYS),
                  NUMBER("dim", DIM), TEXT("variant", "conformer"), TEXT("dtype", "float64"));
        for (size_t j = 0; j < (2 * KEYS - 1) * DIM; j++)
            cr_expect_float_eq(asked_value(&asked, "encoding", j),
                               element_of(faults[i], KEYS - 1 - (double)(j / DIM), true, j % DIM),
                               ERROR, "%s, element %zu", faults[i], j);
        posenc_memory_release(&asked.memory);
    }
}

Test(transformer_xl_faults, only_the_conformers_rows_can_have_sines_and_cosines_exchanged)
{
    struct asked asked;

    ask_fault(&asked, "transformer_xl", "table", "exchanged_cos_sin", NUMBER("length", 1),
              NUMBER("dim", 4), TEXT("variant", "conformer"));
    EXPECT_VALUES(&asked, "encoding", 0, 1, 0, 1, 0);
    posenc_memory_release(&asked.memory);
    ask_fault(&asked, "transformer_xl", "table", "exchanged_cos_sin", NUMBER("length", 1),
              NUMBER("dim", 4));
    expect_refusal(&asked, POSENC_CONFLICT, "layout");
    posenc_memory_release(&asked.memory);
}

Test(transformer_xl_faults, wrong_rows_are_named)
{
    for (size_t i = 0; i < 3; i++) {
        double wrong[KEYS * DIM];

        for (size_t j = 0; j < KEYS * DIM; j++)
            wrong[j] = element_of(faults[i], KEYS - 1 - (double)(j / DIM), false, j % DIM);
        const struct posenc_member actual = {"actual", asking_rows(KEYS, DIM, wrong)};

        expect_named("mistaken", faults[i], actual, TEXT("encoding", "transformer_xl"),
                     TEXT("part", "encoding"), PARAMETERS(NUMBER("length", KEYS)));
    }
}

Test(transformer_xl_faults, right_rows_have_no_fault)
{
    struct asked made;

    ask(&made, "transformer_xl", "table", NUMBER("length", KEYS), NUMBER("dim", DIM));
    expect_named("right", "", {"actual", tensor_of(&made, "encoding")},
                 TEXT("encoding", "transformer_xl"), TEXT("part", "encoding"),
                 PARAMETERS(NUMBER("length", KEYS)));
    posenc_memory_release(&made.memory);
}
