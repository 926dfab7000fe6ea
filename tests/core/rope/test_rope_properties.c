/*
 * What must hold of rotations whatever their parameters: scores that depend on distances, kept
 * norms, layouts that are permutations of each other. Every property is tried on DRAWS random sets
 * of parameters, and a failure names the draw.
 */
#include <criterion/criterion.h>

#include "rope_trial.h"

static double dot(const double *a, const double *b, size_t dim)
{
    double sum = 0;

    for (size_t i = 0; i < dim; i++)
        sum += a[i] * b[i];
    return sum;
}

/* How far a score may be off: each side carries TURN_ERROR, and the sum its roundings. */
static double score_error(const double *q, const double *k, size_t dim)
{
    return sqrt(dot(q, q, dim) * dot(k, k, dim)) * (4 * TURN_ERROR + (double)dim * 0x1p-53);
}

/* The scores of q at p and p + shift with k at t and t + shift. */
static void scores_of(const struct trial *trial, const double *q, const double *k, double p,
                      double t, double shift, double scores[2])
{
    const size_t dim = trial->parameters.dim;
    const double at_p[] = {p, p + shift}, at_t[] = {t, t + shift};
    double twice[2 * DIM_MAX], queries[2 * DIM_MAX], keys[2 * DIM_MAX];

    memcpy(twice, q, dim * sizeof(*q));
    memcpy(twice + dim, q, dim * sizeof(*q));
    trial_rotate(trial, "q", twice, at_p, 2, queries);
    memcpy(twice, k, dim * sizeof(*k));
    memcpy(twice + dim, k, dim * sizeof(*k));
    trial_rotate(trial, "k", twice, at_t, 2, keys);
    scores[0] = dot(queries, keys, dim);
    scores[1] = dot(queries + dim, keys + dim, dim);
}

Test(rope_properties, scores_depend_on_the_distance_alone)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial trial = draw_scheme_trial(draw);
        const size_t dim = trial.parameters.dim;
        const double p = trial_position(&trial, 51), t = trial_position(&trial, 51);
        const double shift = trial_position(&trial, 51); /* all sums are doubles below 2^53 */
        double q[DIM_MAX], k[DIM_MAX], scores[2];

        trial_add(&trial, "attention_factor", posenc_text("omit"));
        (void)trial_add_layout(&trial);
        trial_fill(&trial, q, dim);
        trial_fill(&trial, k, dim);
        scores_of(&trial, q, k, p, t, shift, scores);
        cr_assert_float_eq(scores[0], scores[1], 2 * score_error(q, k, dim),
                           "draw %d, %s: %.17g and %.17g at %.0f and %.0f, shifted by %.0f", draw,
                           trial.formula->name, scores[0], scores[1], p, t, shift);
        posenc_memory_release(&trial.memory);
    }
}

/* Channels of a pair after a rotation. */
static void pair_places(const char *layout, size_t dim, size_t pair, size_t places[2])
{
    const bool adjacent = strcmp(layout, "interleaved") == 0;

    places[0] = adjacent ? 2 * pair : pair;
    places[1] = adjacent ? 2 * pair + 1 : pair + dim / 2;
}

Test(rope_properties, every_pair_keeps_its_norm_times_the_attention_factor)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial trial = draw_scheme_trial(draw);
        const char *layout = trial_add_layout(&trial);
        const bool adjacent_in = strcmp(layout, "half") != 0;
        const size_t dim = trial.parameters.dim;
        const double position = trial_position(&trial, 53);
        double x[DIM_MAX], y[DIM_MAX];
        struct asked asked;

        trial_fill(&trial, x, dim);
        trial_rotate(&trial, "x", x, &position, 1, y);
        trial_add(&trial, "length", posenc_number(0));
        ask_trial(&asked, &trial, "table");
        const double factor = derived_number(&asked, "attention_factor");

        cr_assert_geq(factor, 1.0);
        for (size_t pair = 0; pair < dim / 2; pair++) {
            const double *in = adjacent_in ? &x[2 * pair] : NULL;
            const double before = in ? hypot(in[0], in[1]) : hypot(x[pair], x[pair + dim / 2]);
            size_t places[2];

            pair_places(layout, dim, pair, places);
            cr_assert_float_eq(hypot(y[places[0]], y[places[1]]), factor * before,
                               4 * TURN_ERROR * factor * before, "draw %d, %s %s: pair %zu", draw,
                               trial.formula->name, layout, pair);
        }
        posenc_memory_release(&asked.memory);
        posenc_memory_release(&trial.memory);
    }
}

/* Asserts that turning x at `there` and then, as `back` says, at `again` gives x. */
static void assert_undone(const struct trial *there, double position, const struct trial *back,
                          double again, const double *x)
{
    const size_t dim = there->parameters.dim;
    double turned[DIM_MAX], restored[DIM_MAX];

    trial_rotate(there, "x", x, &position, 1, turned);
    trial_rotate(back, "x", turned, &again, 1, restored);
    for (size_t i = 0; i < dim; i++)
        cr_assert_float_eq(restored[i], x[i], 8 * TURN_ERROR, "draw %d: channel %zu at %.17g",
                           there->draw, i, position);
}

/* By the opposite position, by the opposite direction, and, the attention factor too, by inverse.
 */
Test(rope_properties, turning_back_restores_the_vector)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial trial = draw_scheme_trial(draw);
        const size_t dim = trial.parameters.dim;
        const double position = trial_position(&trial, 53) / (double)(1 + trial_below(&trial, 3));
        const bool is_half = trial_below(&trial, 2);
        double x[DIM_MAX];

        trial_fill(&trial, x, dim);
        trial_add(&trial, "layout", posenc_text(is_half ? "half" : "interleaved"));
        struct trial back = trial;

        trial_add(&back, "inverse", posenc_boolean(true));
        assert_undone(&trial, position, &back, position, x);
        trial_add(&trial, "attention_factor", posenc_text("omit"));
        assert_undone(&trial, position, &trial, -position, x);
        back = trial;
        trial_add(&back, "direction", posenc_number(-1));
        assert_undone(&trial, position, &back, position, x);
        posenc_memory_release(&trial.memory);
    }
}

Test(rope_properties, turning_back_puts_deinterleaved_pairs_together)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial trial = draw_trial(draw), back;
        const double position = trial_position(&trial, 53);
        double rotary_dim, offset, x[DIM_MAX];

        trial_add_part(&trial, &rotary_dim, &offset);
        trial_fill(&trial, x, trial.parameters.dim);
        trial_add(&trial, "layout", posenc_text("deinterleaved"));
        back = trial;
        trial_add(&back, "inverse", posenc_boolean(true));
        assert_undone(&trial, position, &back, position, x);
        posenc_memory_release(&trial.memory);
    }
}

/* Old rows of the new ones between two layouts. */
static void ask_rows(const struct trial *trial, double rotary_dim, double offset, double *rows)
{
    struct asked asked;

    ask(&asked, NULL, "permutation", {"heads", posenc_number(1)},
        {"dim", posenc_number((double)trial->parameters.dim)},
        {"rotary_dim", posenc_number(rotary_dim)}, {"rotary_offset", posenc_number(offset)},
        {"from", posenc_text("interleaved")}, {"to", posenc_text("half")});
    for (size_t i = 0; i < trial->parameters.dim; i++)
        rows[i] = asked_value(&asked, "q_rows", i);
    posenc_memory_release(&asked.memory);
}

Test(rope_properties, half_is_interleaved_between_permutations_to_the_bit)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial interleaved = draw_trial(draw), half;
        const size_t dim = interleaved.parameters.dim;
        const double position = trial_position(&interleaved, 53);
        double rows[DIM_MAX], x[DIM_MAX], moved[DIM_MAX], y[DIM_MAX], z[DIM_MAX];
        double rotary_dim, offset;

        trial_add_part(&interleaved, &rotary_dim, &offset);
        half = interleaved;
        trial_add(&interleaved, "layout", posenc_text("interleaved"));
        trial_add(&half, "layout", posenc_text("half"));
        ask_rows(&half, rotary_dim, offset, rows);
        trial_fill(&half, x, dim);
        for (size_t i = 0; i < dim; i++)
            moved[i] = x[(size_t)rows[i]];
        trial_rotate(&interleaved, "x", x, &position, 1, y);
        trial_rotate(&half, "x", moved, &position, 1, z);
        for (size_t i = 0; i < dim; i++)
            cr_assert_eq(z[i], y[(size_t)rows[i]], "draw %d: channel %zu", draw, i);
        posenc_memory_release(&interleaved.memory);
    }
}

Test(rope_properties, deinterleaved_is_interleaved_and_then_the_permutation_to_the_bit)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial adjacent = draw_trial(draw), apart;
        const size_t dim = adjacent.parameters.dim;
        const double position = trial_position(&adjacent, 53);
        double rows[DIM_MAX], x[DIM_MAX], y[DIM_MAX], z[DIM_MAX];

        apart = adjacent;
        trial_add(&adjacent, "layout", posenc_text("interleaved"));
        trial_add(&apart, "layout", posenc_text("deinterleaved"));
        ask_rows(&apart, (double)dim, 0, rows);
        trial_fill(&apart, x, dim);
        trial_rotate(&adjacent, "x", x, &position, 1, y);
        trial_rotate(&apart, "x", x, &position, 1, z);
        for (size_t i = 0; i < dim; i++)
            cr_assert_eq(z[i], y[(size_t)rows[i]], "draw %d: channel %zu", draw, i);
        posenc_memory_release(&adjacent.memory);
    }
}

Test(rope_properties, channels_that_do_not_turn_keep_their_bits)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial trial = draw_trial(draw);
        const size_t dim = trial.parameters.dim;
        const double position = trial_position(&trial, 53);
        double rotary_dim, offset, x[DIM_MAX], y[DIM_MAX];

        trial_add_part(&trial, &rotary_dim, &offset);
        (void)trial_add_layout(&trial);
        trial_fill(&trial, x, dim);
        trial_rotate(&trial, "x", x, &position, 1, y);
        for (size_t i = 0; i < dim; i++)
            if ((double)i < offset || (double)i >= offset + rotary_dim)
                cr_assert_eq(memcmp(&x[i], &y[i], sizeof(*x)), 0, "draw %d: channel %zu", draw, i);
        posenc_memory_release(&trial.memory);
    }
}

/* The sum over pairs of what the score's terms may reach, which xPos makes unequal. */
static double pair_bound(const double *q, const double *k, size_t dim)
{
    double sum = 0;

    for (size_t i = 0; i < dim / 2; i++)
        sum += hypot(q[i], q[i + dim / 2]) * hypot(k[i], k[i + dim / 2]);
    return sum;
}

static void ask_xpos(const struct trial *trial, double center, const double *rows,
                     const double positions[2], double *q, double *k)
{
    const struct posenc_member members[] = {{"center", posenc_number(center)},
                                            {"scale_base", posenc_number(512)}};
    struct trial whole = *trial;

    trial_add(&whole, "xpos", posenc_object(members, 2));
    trial_rotate(&whole, "q", rows, positions, 1, q);
    trial_rotate(&whole, "k", rows + trial->parameters.dim, positions + 1, 1, k);
}

Test(rope_properties, xpos_scores_do_not_depend_on_the_center)
{
    for (int draw = 0; draw < DRAWS; draw++) {
        struct trial trial = draw_trial(draw);
        const size_t dim = trial.parameters.dim;
        const double positions[2] = {trial_position(&trial, 13), trial_position(&trial, 13)};
        double rows[2 * DIM_MAX], q[2][DIM_MAX], k[2][DIM_MAX];

        trial_add(&trial, "layout", posenc_text("half"));
        trial_fill(&trial, rows, 2 * dim);
        for (int turn = 0; turn < 2; turn++)
            ask_xpos(&trial, trial_position(&trial, 13), rows, positions, q[turn], k[turn]);
        const double bound = fmax(pair_bound(q[0], k[0], dim), pair_bound(q[1], k[1], dim));

        cr_assert_float_eq(dot(q[0], k[0], dim), dot(q[1], k[1], dim),
                           bound * (8 * TURN_ERROR + (double)dim * 0x1p-53), "draw %d", draw);
        posenc_memory_release(&trial.memory);
    }
}
