/* Receptive fields against sums over the weights themselves. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "quantity.h"

#define KEYS 4000 /* of a slope of 1/64 the rest weighs e^-62 */

/* What the weights e^(-m D) of so many keys tell, summed up. */
struct summed {
    double mean, entropy;
    double keys; /* for half the weight */
};

static struct summed sum_weights(double slope, size_t count)
{
    struct summed summed = {0, 0, 0};
    double all = 0, seen = 0;

    for (size_t d = count; d-- > 0;)
        all += exp(-slope * (double)d);
    for (size_t d = count; d-- > 0;) {
        const double weight = exp(-slope * (double)d) / all;

        summed.mean += weight * (double)d;
        summed.entropy -= weight > 0 ? weight * log(weight) : 0;
    }
    for (size_t d = 0; d < count && seen < 0.5; d++, summed.keys++)
        seen += exp(-slope * (double)d) / all;
    return summed;
}

static void assert_summed(double slope, size_t length, bool is_endless)
{
    const struct summed expected = sum_weights(slope, length);
    const double rounding = 1e-12 * (1 + expected.mean); /* thousands of terms, in double */
    char query[160];
    struct asked asked;

    (void)snprintf(query, sizeof(query), "encoding=alibi&slopes=%.17g&mass=0.5&dtype=float64",
                   slope);
    if (!is_endless)
        (void)snprintf(query + strlen(query), sizeof(query) - strlen(query), "&length=%zu", length);
    cr_assert_eq(ask_quantity(&asked, "receptive_field", query), POSENC_OK, "%s",
                 asked.problem.detail);
    assert_tensor_near(&asked, "slopes", &slope, 1, 0);
    assert_tensor_near(&asked, "mean_distance", &expected.mean, 1, rounding);
    assert_tensor_near(&asked, "entropy", &expected.entropy, 1, rounding);
    assert_tensor_near(&asked, "effective_keys", &(double){exp(expected.entropy)}, 1,
                       rounding * exp(expected.entropy));
    assert_tensor_near(&asked, "keys_for_mass", &expected.keys, 1, 0);
    asked_release(&asked);
}

Test(analysis_receptive_field, is_that_of_geometric_weights)
{
    assert_summed(0.7, KEYS, true);
    assert_summed(1.0 / 64, KEYS, true);
}

Test(analysis_receptive_field, counts_no_more_keys_than_there_are)
{
    static const double slopes[] = {0.7, 1e-3, 1e-7, 1e-12, 0, 30};
    static const size_t lengths[] = {1, 2, 101};

    for (size_t i = 0; i < sizeof(slopes) / sizeof(*slopes); i++)
        for (size_t j = 0; j < sizeof(lengths) / sizeof(*lengths); j++)
            assert_summed(slopes[i], lengths[j], false);
}

Test(analysis_receptive_field, steep_slopes_see_their_own_key_alone)
{
    const double mean = exp(-800.0) > 0 ? exp(-800.0) : 0, one = 1;
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "receptive_field",
                              "encoding=alibi&slopes=800&mass=0.999&dtype=float64"),
                 POSENC_OK);
    assert_tensor_near(&asked, "mean_distance", &mean, 1, 0);
    assert_tensor_near(&asked, "effective_keys", &one, 1, 0);
    assert_tensor_near(&asked, "keys_for_mass", &one, 1, 0);
    asked_release(&asked);
}

/* However a bias is written, softmax sees the same slopes. */
Test(analysis_receptive_field, slopes_are_those_that_attention_sees)
{
    static const char *const queries[] = {
        "encoding=alibi&slopes=0.5,0.125&dtype=float64",
        "encoding=alibi&slopes=0.5,0.125&preset=press&dtype=float64",
        "encoding=alibi&slopes=0.5,0.125&preset=jina&dtype=float64",
        "encoding=alibi&slopes=1,0.25&distance_scale=0.5&dtype=float64",
    };
    const double expected[] = {0.5, 0.125};
    struct asked asked;

    for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
        cr_assert_eq(ask_quantity(&asked, "receptive_field", queries[i]), POSENC_OK);
        assert_tensor_near(&asked, "slopes", expected, 2, 0);
        cr_expect_null(posenc_find_tensor(&asked.result, "keys_for_mass"));
        cr_expect_null(posenc_find_tensor(&asked.result, "cutoff_distance"));
        asked_release(&asked);
    }
}

Test(analysis_receptive_field, contents_are_outweighed_beyond_the_cutoff)
{
    const double expected = (2 * 1.5 + log(1000)) / 0.25;
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "receptive_field",
                              "encoding=alibi&slopes=0.25&content_bound=1.5&epsilon=0.001&dtype="
                              "float64"),
                 POSENC_OK);
    assert_tensor_near(&asked, "cutoff_distance", &expected, 1, 40 * 0x1p-51);
    asked_release(&asked);
}

Test(analysis_receptive_field, refuses_what_has_no_answer)
{
    static const struct {
        const char *query;
        enum posenc_status status;
        const char *parameter;
    } cases[] = {
        {"encoding=alibi&heads=2&mass=1", POSENC_OUT_OF_RANGE, "mass"},
        {"encoding=alibi&slopes=0", POSENC_OUT_OF_RANGE, "encoding"},
        {"encoding=alibi&slopes=-1&length=5", POSENC_OUT_OF_RANGE, "encoding"},
        {"encoding=alibi&heads=2&one_sided=true&form=symmetric", POSENC_OUT_OF_RANGE, "encoding"},
        {"encoding=alibi&heads=2&content_bound=1", POSENC_MISSING_PARAMETER, "epsilon"},
    };
    struct asked asked;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_quantity_refused(&asked, "receptive_field", cases[i].query, cases[i].status,
                                cases[i].parameter);
        asked_release(&asked);
    }
}

static bool is_echoed(const struct asked *asked, const char *name)
{
    for (size_t i = 0; i < asked->result.parameters.count; i++)
        if (strcmp(asked->result.parameters.items[i].name, name) == 0)
            return true;
    return false;
}

/* An echo that named it without epsilon would be refused. */
Test(analysis_receptive_field, a_bound_without_a_part_is_not_echoed)
{
    struct asked asked;

    cr_assert_eq(ask_quantity(&asked, "receptive_field", "encoding=alibi&heads=2"), POSENC_OK);
    cr_expect_not(is_echoed(&asked, "content_bound"));
    asked_release(&asked);
    cr_assert_eq(ask_quantity(&asked, "receptive_field", "encoding=alibi&heads=2&epsilon=0.1"),
                 POSENC_OK);
    cr_expect_eq(echoed_number(&asked.result, "content_bound"), 0);
    asked_release(&asked);
}
