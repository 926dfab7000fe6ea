/* What every encoding has that quantities can look at, and what they need of it. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis.h"

/* w: waves, t: that turn q and k, v: a row per position, b: a bias by lengths, s: slopes, a: a part
 * in attention. */
static const struct {
    const char *encoding, *has;
} kinds[] = {
    {"alibi", "bsa"},
    {"cope", ""},
    {"deberta", "a"},
    {"fire", "ba"},
    {"kerple", "ba"},
    {"learned", "va"},
    {"music_transformer", ""},
    {"none", "a"},
    {"rope", "wta"},
    {"sandwich", "ba"},
    {"shaw", "a"},
    {"sinusoidal", "wva"},
    {"sinusoidal_grid", "va"},
    {"swin", "a"},
    {"t5", "ba"},
    {"timestep", "wv"},
    {"transformer_xl", "va"},
};

static const struct {
    char letter;
    bool (*has)(const struct posenc_encoding *);
} questions[] = {
    {'w', posenc__has_waves}, {'t', posenc__has_turning_waves}, {'v', posenc__has_vectors},
    {'b', posenc__has_bias},  {'s', posenc__has_slopes},        {'a', posenc__acts_in_attention},
};

Test(analysis_kinds, follow_from_the_rows_of_every_encoding)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        const struct posenc_encoding *encoding = posenc_find(kinds[i].encoding);

        for (size_t k = 0; k < sizeof(questions) / sizeof(*questions); k++)
            cr_expect_eq(questions[k].has(encoding),
                         strchr(kinds[i].has, questions[k].letter) != NULL, "%s: %c",
                         kinds[i].encoding, questions[k].letter);
    }
    cr_expect_null(posenc_encoding_at(sizeof(kinds) / sizeof(*kinds)), "an encoding is not tried");
}

/* Waves need what their encoding says; a bias all but what the quantity tells by itself. */
Test(analysis_kinds, need_what_the_quantity_does_not_tell)
{
    static const struct {
        bool (*needs)(const struct posenc_encoding *, const char *);
        const char *encoding, *parameter;
        bool is_needed;
    } rows[] = {
        {posenc__needs_all, "rope", "dim", true},
        {posenc__needs_all, "alibi", "query_length", true},
        {posenc__needs_waves, "rope", "dim", true},
        {posenc__needs_waves, "rope", "length", false},
        {posenc__needs_waves, "sinusoidal", "dim", true},
        {posenc__needs_waves, "sinusoidal", "positions", false},
        {posenc__needs_bias, "alibi", "heads", true},
        {posenc__needs_bias, "alibi", "query_length", false},
        {posenc__needs_bias, "alibi", "key_length", false},
        {posenc__needs_bias, "alibi", "query_offset", false},
        {posenc__needs_bias, "t5", "weight", true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        cr_expect_eq(rows[i].needs(posenc_find(rows[i].encoding), rows[i].parameter),
                     rows[i].is_needed, "%s: %s", rows[i].encoding, rows[i].parameter);
}
