/* Distances between names. */
#include <criterion/criterion.h>
#include <string.h>

#include "exact.h"
#include "support.h"

struct pair {
    const char *a, *b;
    size_t distance;
};

Test(naming, counts_edits_and_takes_a_transposition_of_neighbours_for_one)
{
    static const struct pair pairs[] = {
        {"", "", 0},
        {"", "dim", 3},
        {"dim", "dim", 0},
        {"dim", "dims", 1},
        {"dim", "im", 1},
        {"dim", "dam", 1},
        {"dim", "idm", 1},
        {"lenght", "length", 1},
        {"ofset", "offset", 1},
        {"thetas", "theta", 1},
        {"ca", "abc", 3}, /* 2 where a transposed pair may be edited again */
        {"kitten", "sitting", 3},
        {"spacing", "scaling", 2},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        const struct pair *pair = &pairs[i];

        cr_expect_eq(posenc__edit_distance(pair->a, pair->b), pair->distance, "%s %s", pair->a,
                     pair->b);
        cr_expect_eq(posenc__edit_distance(pair->b, pair->a), pair->distance, "%s %s", pair->b,
                     pair->a);
    }
}

/* Optimal string alignment by its recursive definition. */
static size_t slow_distance(const char *a, size_t i, const char *b, size_t j)
{
    size_t best;

    if (i == 0 || j == 0)
        return i + j;
    best = slow_distance(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]);
    if (slow_distance(a, i - 1, b, j) + 1 < best)
        best = slow_distance(a, i - 1, b, j) + 1;
    if (slow_distance(a, i, b, j - 1) + 1 < best)
        best = slow_distance(a, i, b, j - 1) + 1;
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
        slow_distance(a, i - 2, b, j - 2) + 1 < best)
        best = slow_distance(a, i - 2, b, j - 2) + 1;
    return best;
}

static size_t random_name(char name[8], uint64_t *seed)
{
    const size_t length = exact_bits(seed) % 6;

    for (size_t i = 0; i < length; i++)
        name[i] = (char)('a' + exact_bits(seed) % 3);
    name[length] = '\0';
    return length;
}

Test(naming, agrees_with_the_recursive_definition)
{
    uint64_t seed = 20260729;

    for (int i = 0; i < 400; i++) {
        char a[8], b[8];
        const size_t a_length = random_name(a, &seed), b_length = random_name(b, &seed);

        cr_assert_eq(posenc__edit_distance(a, b), slow_distance(a, a_length, b, b_length), "%s %s",
                     a, b);
    }
}

Test(naming, names_at_and_past_the_compared_length)
{
    char a[200], b[200];

    memset(a, 'a', sizeof(a));
    memset(b, 'a', sizeof(b));
    a[64] = b[64] = '\0';
    b[10] = 'b';
    cr_expect_eq(posenc__edit_distance(a, b), 1);
    a[64] = 'a';
    a[65] = '\0';
    cr_expect_eq(posenc__edit_distance(a, b), 65);
    cr_expect_not(posenc__is_near(a, b, 65));
}

Test(naming, a_third_of_a_name_may_be_wrong_and_one_letter_of_a_short_one)
{
    cr_expect(posenc__is_near("dm", "dim", 1));
    cr_expect_not(posenc__is_near("xy", "dim", 2));
    cr_expect(posenc__is_near("lenths", "length", 2));
    cr_expect_not(posenc__is_near("lxnxtx", "length", 3));
    cr_expect(posenc__is_near("query_len", "query_length", 3));
}

Test(naming, the_nearest_so_far_stays_until_a_nearer_one_comes)
{
    const char *nearest = NULL;
    size_t best = SIZE_MAX;

    posenc__consider("ofset", "dtype", &best, &nearest);
    cr_expect_null(nearest);
    posenc__consider("ofset", "offset", &best, &nearest);
    cr_expect_str_eq(nearest, "offset");
    posenc__consider("ofset", "ofsets", &best, &nearest);
    cr_expect_str_eq(nearest, "offset");
    posenc__consider("ofset", "ofset", &best, &nearest);
    cr_expect_str_eq(nearest, "ofset");
}
