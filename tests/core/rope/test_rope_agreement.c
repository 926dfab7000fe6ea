/*
 * Schemes that must fall together, and how frequencies fall, whatever their parameters. Every
 * property is tried on DRAWS random sets of parameters, and a failure names the draw.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "rope_question.h"
#include "rope_trial.h"

/* Both tables, cosines and sines, element by element. */
static void assert_tables(const struct trial *a, const struct trial *b, double tolerance)
{
    static const char *const names[] = {"cos", "sin", "inv_freq"};
    struct asked left, right;

    ask_trial(&left, a, "table");
    ask_trial(&right, b, "table");
    cr_assert_eq(derived_number(&left, "attention_factor"),
                 derived_number(&right, "attention_factor"), "draw %d", a->draw);
    for (size_t t = 0; t < (tolerance == 0 ? 3 : 2); t++) {
        const double *x = asked_all(&left, names[t]), *y = asked_all(&right, names[t]);
        const size_t count = posenc_find_tensor(&left.result, names[t])->count;

        cr_assert_eq(posenc_find_tensor(&right.result, names[t])->count, count);
        for (size_t i = 0; i < count; i++)
            cr_assert(fabs(x[i] - y[i]) <= tolerance, "draw %d: %s[%zu] is %.17g and %.17g",
                      a->draw, names[t], i, x[i], y[i]);
    }
    posenc_memory_release(&left.memory);
    posenc_memory_release(&right.memory);
}

#define POSITIONS 5

Test(rope_agreement, linear_at_a_position_is_default_at_its_share)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial plain = draw_trial(draw), linear;
        const double factor = 1 + (double)trial_below(&plain, 200);
        const struct posenc_member scaling[] = {{"rope_type", posenc_text("linear")},
                                                {"factor", posenc_number(factor)}};
        double positions[POSITIONS], shares[POSITIONS];

        for (size_t i = 0; i < POSITIONS; i++) {
            shares[i] = trial_position(&plain, 45);
            positions[i] = factor * shares[i]; /* exact: below 2^53 */
        }
        linear = plain;
        trial_add(&plain, "positions", posenc_numbers(shares, POSITIONS));
        trial_add(&linear, "positions", posenc_numbers(positions, POSITIONS));
        trial_add(&linear, "scaling", posenc_object(scaling, 2));
        assert_tables(&linear, &plain, 2 * ANGLE_ERROR);
        posenc_memory_release(&plain.memory);
    }
}

/* The table at random positions with and without a dictionary. */
static void assert_same_as_default(struct trial *plain, const char *dictionary, double length,
                                   double original, double tolerance)
{
    struct trial scaled;
    double positions[POSITIONS];

    for (size_t i = 0; i < POSITIONS; i++)
        positions[i] = trial_position(plain, 53);
    trial_add(plain, "positions", posenc_numbers(positions, POSITIONS));
    scaled = *plain;
    trial_add(&scaled, "scaling", question_dictionary(&plain->memory, dictionary));
    if (length > 0)
        trial_add(&scaled, "sequence_length", posenc_number(length));
    if (original > 0)
        trial_add(&scaled, "max_position_embeddings", posenc_number(original));
    assert_tables(&scaled, plain, tolerance);
    posenc_memory_release(&plain->memory);
}

Test(rope_agreement, dynamic_up_to_the_trained_length_is_default_to_the_bit)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial plain = draw_trial(draw);
        const double original = plain.parameters.original;
        const double length = draw % 3 ? 1 + floor(trial_between(&plain, 0, original)) : original;
        char text[128];

        (void)snprintf(text, sizeof(text), "rope_type=dynamic&factor=%a", plain.parameters.factor);
        assert_same_as_default(&plain, text, length, original, 0);
    }
}

Test(rope_agreement, yarn_with_a_factor_of_one_is_default)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial plain = draw_trial(draw);
        char text[256];

        use_long_waves(&plain);
        (void)snprintf(text, sizeof(text),
                       "rope_type=yarn&factor=1&original_max_position_embeddings=%a&beta_fast=%a%s",
                       plain.parameters.original, trial_between(&plain, 2, 40),
                       draw % 2 ? "&truncate=false" : "");
        assert_same_as_default(&plain, text, 0, 0, 2 * ANGLE_ERROR);
    }
}

Test(rope_agreement, llama3_with_a_factor_of_one_is_default)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial plain = draw_trial(draw);
        char text[256];

        (void)snprintf(text, sizeof(text),
                       "rope_type=llama3&factor=1&low_freq_factor=%a&high_freq_factor=%a"
                       "&original_max_position_embeddings=%a",
                       plain.parameters.low, plain.parameters.high, plain.parameters.original);
        assert_same_as_default(&plain, text, 0, 0, 2 * ANGLE_ERROR);
    }
}

Test(rope_agreement, longrope_with_factors_of_one_is_default_to_the_bit)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial plain = draw_trial(draw);
        const double original = plain.parameters.original;
        const double length = draw % 2 ? original : original + 1;
        char text[ROPE_DICTIONARY_MAX];

        for (size_t i = 0; i < plain.parameters.dim / 2; i++)
            plain.parameters.extensions[i] = 1;
        plain.parameters.factor = 1;
        find_rope_formula("longrope")->write(text, sizeof(text), &plain.parameters);
        assert_same_as_default(&plain, text, length, 0, 0);
    }
}

Test(rope_agreement, proportional_with_the_whole_head_is_linear_to_the_bit)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial linear = draw_trial(draw), proportional;
        const struct posenc_member factor = {"factor", posenc_number(linear.parameters.factor)};
        const struct posenc_member scalings[2][3] = {
            {{"rope_type", posenc_text("linear")}, factor},
            {{"rope_type", posenc_text("proportional")},
             factor,
             {"partial_rotary_factor", posenc_number(1)}},
        };
        double positions[POSITIONS];

        for (size_t i = 0; i < POSITIONS; i++)
            positions[i] = trial_position(&linear, 53);
        trial_add(&linear, "positions", posenc_numbers(positions, POSITIONS));
        proportional = linear;
        trial_add(&linear, "scaling", posenc_object(scalings[0], 2));
        trial_add(&proportional, "scaling", posenc_object(scalings[1], 3));
        assert_tables(&proportional, &linear, 0);
        posenc_memory_release(&linear.memory);
    }
}

/* Sections of an order that sum to the pairs: interleaved deals H and W their turns from three
 * rounds, Ernie the same number of pairs to H and W. */
static void draw_sections(struct trial *trial, const char *order, double sections[3])
{
    const size_t pairs = trial->parameters.dim / 2;
    const size_t third = pairs / 3, small = third > 0 ? trial_below(trial, third + 1) : 0;
    const size_t other =
        strcmp(order, "ernie") == 0 || third == 0 ? small : trial_below(trial, third);

    sections[1] = (double)small;
    sections[2] = (double)other;
    sections[0] = (double)(pairs - small - other);
    if (strcmp(order, "ernie") == 0) { /* written H, W, T */
        sections[2] = sections[0];
        sections[0] = sections[1];
    }
}

Test(rope_agreement, several_axes_that_agree_are_one_axis_to_the_bit)
{
    static const char *const orders[] = {"chunked", "interleaved", "ernie"};

    for (int draw = 0; draw < 2 * DRAWS; draw++) {
        struct trial one = draw_scheme_trial(draw), three;
        const char *order = orders[draw % 3];
        double sections[3], positions[3 * POSITIONS];

        draw_sections(&one, order, sections);
        for (size_t i = 0; i < POSITIONS; i++)
            positions[i] = positions[POSITIONS + i] = positions[2 * POSITIONS + i] =
                trial_position(&one, 53);
        three = one;
        trial_add(&one, "positions", posenc_numbers(positions, POSITIONS));
        trial_add(&three, "positions", asking_rows(3, POSITIONS, positions));
        trial_add(&three, "mrope_section", posenc_numbers(sections, 3));
        trial_add(&three, "mrope_order", posenc_text(order));
        assert_tables(&three, &one, 0);
        posenc_memory_release(&one.memory);
    }
}

/* Every scheme but these starts at 1, and every one but longrope, whose divisors are anything,
 * falls from pair to pair. */
static bool starts_at_one(const struct rope_formula *formula)
{
    static const char *const others[] = {"linear", "ntk_fixed", "ntk_fixed with mixed_b",
                                         "longrope"};

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strcmp(formula->name, others[i]) == 0)
            return false;
    return true;
}

Test(rope_agreement, frequencies_start_at_one_and_fall_strictly)
{
    for (int draw = 0; draw < 4 * DRAWS; draw++) {
        struct trial trial = draw_scheme_trial(draw);
        const struct rope_formula *formula = trial.formula;
        struct asked asked;

        trial_add(&trial, "length", posenc_number(0));
        ask_trial(&asked, &trial, "table");
        const double *w = asked_all(&asked, "inv_freq");

        if (starts_at_one(formula))
            cr_assert_eq(w[0], 1.0, "draw %d, %s", draw, formula->name);
        for (size_t i = 1; i < trial.parameters.dim / 2 && strcmp(formula->name, "longrope"); i++)
            cr_assert_lt(w[i], w[i - 1], "draw %d, %s: pair %zu", draw, formula->name, i);
        posenc_memory_release(&asked.memory);
        posenc_memory_release(&trial.memory);
    }
}
