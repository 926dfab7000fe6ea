/* Tables of waves as people get them wrong: against MPFR, and their names by identify. */
#include "asking_fault.h"
#include "wave_question.h"

/* As test_sinusoidal.c has it; inverse waves are faster than a radian per position. */
#define PROMISED_ERROR 3e-16
#define INVERSE_ERROR  1e-13

/* The exponent of a wave in steps from pair to pair: factor * pair + constant. */
struct wrong_rule {
    const char *fault;
    double factor, sine_constant, cosine_constant;
    double tolerance;
};

static const struct wrong_rule rules[] = {
    {"exponents_zero", 0, 0, 0, PROMISED_ERROR},
    {"inverted_frequencies", -1, 0, 0, INVERSE_ERROR},
    {"frequencies_from_one", 1, 1, 1, PROMISED_ERROR},
    {"exponent_by_column", 1, 0, 0.5, PROMISED_ERROR},
    {"exponent_by_column_doubled", 2, 0, 1, PROMISED_ERROR},
};

#define RULES (sizeof(rules) / sizeof(*rules))

/* sin or cos of position * position_scale * base^(-exponent * step). */
static double exact_wrong(const struct wave_question *question, const struct wrong_rule *rule,
                          size_t row, size_t column)
{
    const struct column place = column_at(question, column);
    const double exponent = rule->factor * (double)place.pair +
                            (place.is_cosine ? rule->cosine_constant : rule->sine_constant);
    mpfr_t value, power;

    if (place.zero)
        return 0;
    mpfr_inits2(EXACT_BITS, value, power, (mpfr_ptr)NULL);
    mpfr_set_d(power, -exponent, MPFR_RNDN);
    if (strcmp(question->spacing, "dim") == 0) {
        mpfr_mul_ui(power, power, 2, MPFR_RNDN);
        mpfr_div_ui(power, power, question->dim, MPFR_RNDN);
    } else {
        mpfr_div_ui(power, power, question->dim / 2 - 1, MPFR_RNDN);
    }
    mpfr_set_d(value, question->base, MPFR_RNDN);
    mpfr_pow(value, value, power, MPFR_RNDN);
    mpfr_mul_d(value, value, question->position_scale, MPFR_RNDN);
    mpfr_mul_d(value, value, question->offset + (double)row * question->step, MPFR_RNDN);
    if (place.is_cosine)
        mpfr_cos(value, value, MPFR_RNDN);
    else
        mpfr_sin(value, value, MPFR_RNDN);
    const double rounded = mpfr_get_d(value, MPFR_RNDN);

    mpfr_clears(value, power, (mpfr_ptr)NULL);
    return rounded;
}

static void expect_wrong_table(const struct wave_question *question, const struct wrong_rule *rule)
{
    struct asked asked;

    ask_fault(&asked, "sinusoidal", "table", rule->fault, NUMBER("dim", (double)question->dim),
              TEXT("layout", question->layout), TEXT("spacing", question->spacing),
              TEXT("odd", question->odd), NUMBER("base", question->base),
              NUMBER("position_scale", question->position_scale),
              NUMBER("offset", question->offset), NUMBER("step", question->step),
              NUMBER("length", (double)question->length), TEXT("dtype", "float64"));
    for (size_t i = 0; i < question->length * question->dim; i++) {
        const double right = exact_wrong(question, rule, i / question->dim, i % question->dim);

        cr_expect(fabs(asked_value(&asked, "encoding", i) - right) <= rule->tolerance,
                  "%s %s %zu, element %zu: %.17g, not %.17g", rule->fault, question->layout,
                  question->dim, i, asked_value(&asked, "encoding", i), right);
    }
    posenc_memory_release(&asked.memory);
}

Test(wave_faults, wrong_frequencies_are_those_of_their_formulas)
{
    static const struct wave_question questions[] = {
        {6, "interleaved", "dim", "reject", 523.7, 1, 1, 0, 1, 5, "float64"},
        {8, "sin_cos", "dim", "reject", 10000, 1, 0.25, -3, 0.5, 9, "float64"},
        {10, "cos_sin", "half_minus_1", "reject", 10000, 1, 1, 17, 40, 4, "float64"},
        {7, "interleaved", "dim", "extra_sine", 10000, 1, 1, 1, 1, 3, "float64"},
        {7, "sin_cos", "half_minus_1", "zero_pad", 10000, 1, 1, 1, 1, 3, "float64"},
        {9, "cos_sin", "dim", "pair_index", 99, 1, 0.5, 2, -1, 6, "float64"},
        {130, "interleaved", "dim", "reject", 10000, 1, 1, 0, 7, 40, "float64"},
    };

    for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
        for (size_t j = 0; j < RULES; j++)
            expect_wrong_table(&questions[i], &rules[j]);
}

Test(wave_faults, alternating_sines_and_cosines_are_exchanged)
{
    struct asked asked;

    ask_fault(&asked, "sinusoidal", "table", "exchanged_cos_sin", NUMBER("dim", 4),
              {"positions", LIST(0, 1)}, NUMBER("output_scale", 2), TEXT("dtype", "float64"));
    EXPECT_VALUES(&asked, "encoding", 3e-16, 2, 0, 2, 0, 2 * 0.5403023058681397174,
                  2 * 0.84147098480789650665, 2 * 0.99995000041666527778,
                  2 * 0.0099998333341666646825);
    posenc_memory_release(&asked.memory);
    ask_fault(&asked, "sinusoidal", "table", "exchanged_cos_sin", NUMBER("dim", 4),
              NUMBER("length", 2), TEXT("layout", "sin_cos"));
    expect_refusal(&asked, POSENC_CONFLICT, "layout");
    posenc_memory_release(&asked.memory);
}

Test(wave_faults, the_row_of_padding_stays_zero)
{
    struct asked asked;

    ask_fault(&asked, "sinusoidal", "table", "exponents_zero", NUMBER("dim", 4),
              NUMBER("length", 3), NUMBER("padding_idx", 1), TEXT("dtype", "float64"));
    EXPECT_VALUES(&asked, "encoding", PROMISED_ERROR, 0, 1, 0, 1, 0, 0, 0, 0, sin(2), cos(2),
                  sin(2), cos(2));
    posenc_memory_release(&asked.memory);
}

/* mlx scales by sqrt(2 / dim), which only x tells. */
Test(wave_faults, a_wrong_table_is_added_to_a_tensor)
{
    const double scale = sqrt(0.5);
    struct asked asked;

    ask_fault(&asked, "sinusoidal", "apply", "exponents_zero",
              {"x", ROWS(2, 4, 1, 2, 3, 4, 5, 6, 7, 8)}, NUMBER("offset", 3), TEXT("preset", "mlx"),
              TEXT("dtype", "float64"));
    EXPECT_VALUES(&asked, "x", 2e-15, 1 + scale * sin(3), 2 + scale * sin(3), 3 + scale * cos(3),
                  4 + scale * cos(3), 5 + scale * sin(4), 6 + scale * sin(4), 7 + scale * cos(4),
                  8 + scale * cos(4));
    posenc_memory_release(&asked.memory);
}

/* h - shift = 2.5 steps from 1 to 1 / 10000. */
Test(wave_faults, timesteps_have_the_same_faults)
{
    const double step = pow(10000, -1 / 2.5), t = 7.5;
    struct asked asked;

    ask_fault(&asked, "timestep", "table", "exponent_by_column", NUMBER("dim", 6),
              {"timesteps", LIST(t)}, {"flip_sin_to_cos", posenc_boolean(true)},
              NUMBER("downscale_freq_shift", 0.5), TEXT("dtype", "float64"));
    EXPECT_VALUES(&asked, "encoding", 1e-14, cos(t * pow(step, 0.5)), cos(t * pow(step, 1.5)),
                  cos(t * pow(step, 2.5)), sin(t), sin(t * step), sin(t * step * step));
    posenc_memory_release(&asked.memory);
}

Test(wave_faults, nothing_is_wrong_with_a_single_or_a_still_wave)
{
    struct asked asked;

    for (size_t i = 0; i < RULES; i++) {
        ask_fault(&asked, "sinusoidal", "table", rules[i].fault, NUMBER("dim", 2),
                  NUMBER("length", 4));
        expect_refusal(&asked, POSENC_OUT_OF_RANGE, "dim");
        posenc_memory_release(&asked.memory);
        ask_fault(&asked, "sinusoidal", "table", rules[i].fault, NUMBER("dim", 8),
                  NUMBER("length", 4), NUMBER("position_scale", 0));
        expect_refusal(&asked, POSENC_OUT_OF_RANGE, "dim");
        posenc_memory_release(&asked.memory);
    }
}

/* 1e300 radians per position have no fraction left. */
Test(wave_faults, waves_that_would_turn_too_often_are_refused)
{
    struct asked asked;

    ask_fault(&asked, "sinusoidal", "table", "inverted_frequencies", NUMBER("dim", 8),
              NUMBER("base", 1e300), NUMBER("length", 4));
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "base");
    posenc_memory_release(&asked.memory);
}

#define NAMED_ROWS 5
#define NAMED_DIM  8

/* Rows from position 0 on, of base 10000, in float64 by libm. */
static void make_named(const struct wrong_rule *rule, bool is_halved, double *out)
{
    for (size_t i = 0; i < NAMED_ROWS * NAMED_DIM; i++) {
        const size_t column = i % NAMED_DIM;
        const size_t pair = is_halved ? column % (NAMED_DIM / 2) : column / 2;
        const bool is_cosine = is_halved ? column >= NAMED_DIM / 2 : column % 2 != 0;
        const double exponent =
            rule->factor * (double)pair + (is_cosine ? rule->cosine_constant : rule->sine_constant);
        const double angle = (double)(i / NAMED_DIM) * pow(10, -exponent);

        out[i] = is_cosine ? cos(angle) : sin(angle);
    }
}

Test(wave_faults, alternating_tables_are_named)
{
    double wrong[NAMED_ROWS * NAMED_DIM];

    for (size_t i = 0; i < RULES; i++) {
        make_named(&rules[i], false, wrong);
        const struct posenc_member actual = {"actual", asking_rows(NAMED_ROWS, NAMED_DIM, wrong)};

        expect_named("mistaken", rules[i].fault, actual, TEXT("encoding", "sinusoidal"),
                     PARAMETERS(NUMBER("dim", NAMED_DIM)));
        expect_named("identified", rules[i].fault, actual, TEXT("encoding", "sinusoidal"));
        expect_named("identified", rules[i].fault, actual);
    }
}

Test(wave_faults, tables_in_halves_are_named)
{
    double wrong[NAMED_ROWS * NAMED_DIM];

    for (size_t i = 0; i < RULES; i++) {
        make_named(&rules[i], true, wrong);
        const struct posenc_member actual = {"actual", asking_rows(NAMED_ROWS, NAMED_DIM, wrong)};

        expect_named("mistaken", rules[i].fault, actual, TEXT("encoding", "sinusoidal"),
                     PARAMETERS(TEXT("layout", "sin_cos")));
        expect_named("identified", rules[i].fault, actual, TEXT("encoding", "sinusoidal"));
        expect_named("identified", rules[i].fault, actual);
        expect_named("mistaken", rules[i].fault, actual, TEXT("encoding", "timestep"),
                     PARAMETERS({"timesteps", LIST(0, 1, 2, 3, 4)},
                                {"flip_sin_to_cos", posenc_boolean(false)},
                                NUMBER("downscale_freq_shift", 0)));
    }
}

Test(wave_faults, what_was_added_to_a_tensor_is_named)
{
    double x[NAMED_ROWS * NAMED_DIM], wrong[NAMED_ROWS * NAMED_DIM];

    for (size_t i = 0; i < RULES; i++) {
        make_named(&rules[i], false, wrong);
        for (size_t j = 0; j < NAMED_ROWS * NAMED_DIM; j++) {
            x[j] = (double)(j % 7) - 3;
            wrong[j] += x[j];
        }
        expect_named("mistaken", rules[i].fault,
                     {"actual", asking_rows(NAMED_ROWS, NAMED_DIM, wrong)},
                     {"x", asking_rows(NAMED_ROWS, NAMED_DIM, x)}, TEXT("encoding", "sinusoidal"),
                     PARAMETERS(NUMBER("offset", 0)));
    }
}

Test(wave_faults, right_tables_have_no_fault)
{
    static const struct wrong_rule right = {"", 1, 0, 0, 0};
    double table[NAMED_ROWS * NAMED_DIM];

    for (size_t i = 0; i < 2; i++) {
        make_named(&right, i == 1, table);
        const struct posenc_member actual = {"actual", asking_rows(NAMED_ROWS, NAMED_DIM, table)};

        expect_named("right", "", actual, TEXT("encoding", "sinusoidal"),
                     PARAMETERS(TEXT("layout", i ? "sin_cos" : "interleaved")));
        expect_named("mistaken", "", actual, TEXT("encoding", "sinusoidal"),
                     PARAMETERS(NUMBER("base", 500000)));
        expect_named("identified", "", actual);
    }
}
