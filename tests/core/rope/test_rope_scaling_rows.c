/* The members of a scaling dictionary: every one is read by a scheme, and has its limits. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "rope_expect.h"
#include "rope_scheme.h"

#define SCHEME_ADDRESS(id) &posenc__rope_##id,
static const struct posenc__rope_scheme *const schemes[] = {POSENC__ROPE_SCHEMES(SCHEME_ADDRESS)};

static bool is_among(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static const struct posenc_parameter *find_row(const char *name)
{
    for (const struct posenc_parameter *row = posenc__rope_scaling_rows; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

/* Members that do not belong to a scheme: they name one, are read before one is asked, or are known
 * to have no part. */
static const char *const others[] = {
    "rope_type",         "type",           "rope_theta",  "partial_rotary_factor", "mrope_section",
    "mrope_interleaved", "xdrope_section", "attn_factor", "llama_4_scaling_beta",  NULL};

Test(rope_scaling_rows, every_member_has_a_scheme_that_reads_it)
{
    for (const struct posenc_parameter *row = posenc__rope_scaling_rows; row->name; row++) {
        bool is_read = is_among(others, row->name);

        for (size_t i = 0; i < COUNT_OF(schemes); i++)
            is_read = is_read || is_among(schemes[i]->needs, row->name) ||
                      is_among(schemes[i]->uses, row->name);
        cr_expect(is_read, "%s", row->name);
    }
}

Test(rope_scaling_rows, every_member_of_a_scheme_has_a_row)
{
    for (size_t i = 0; i < COUNT_OF(schemes); i++) {
        for (const char *const *name = schemes[i]->needs; name && *name; name++)
            cr_expect_not_null(find_row(*name), "%s", *name);
        for (const char *const *name = schemes[i]->uses; name && *name; name++)
            cr_expect_not_null(find_row(*name), "%s", *name);
    }
}

Test(rope_scaling_rows, the_types_are_the_schemes_and_their_aliases)
{
    const char *const *choices = find_row("rope_type")->choices;
    size_t count = 0;

    for (size_t i = 0; i < COUNT_OF(schemes); i++) {
        cr_expect(is_among(choices, schemes[i]->name), "%s", schemes[i]->name);
        count++;
        for (const char *const *alias = schemes[i]->aliases; alias && *alias; alias++, count++)
            cr_expect(is_among(choices, *alias), "%s", *alias);
    }
    for (size_t i = 0; choices[i]; i++)
        count--;
    cr_expect_eq(count, 0, "a choice leads to no scheme");
}

/* An empty dictionary stays empty, so that no scheme is found where none was asked for. */
Test(rope_scaling_rows, no_member_comes_by_itself)
{
    for (const struct posenc_parameter *row = posenc__rope_scaling_rows; row->name; row++) {
        cr_expect(row->flags & POSENC_OPTIONAL, "%s", row->name);
        cr_expect_not(row->has_fallback, "%s", row->name);
    }
}

/* A limit, what lies there, and what lies one step beyond. */
struct limit {
    const char *member;
    double inside[2], outside[2];
};

#define BELOW(x) ((x) * (1 - DBL_EPSILON / 2))
#define ABOVE(x) ((x) * (1 + DBL_EPSILON))

static const struct limit limits[] = {
    {"factor", {1, 1e15}, {BELOW(1), ABOVE(1e15)}},
    {"alpha", {0, 1e15}, {-DBL_MIN, ABOVE(1e15)}},
    {"mixed_b", {0, 4}, {-DBL_MIN, ABOVE(4)}},
    {"seq_length", {1, 9007199254740991.0}, {0, 9007199254740992.0}},
    {"original_max_position_embeddings", {1, 9007199254740991.0}, {0, 9007199254740992.0}},
    {"attention_factor", {DBL_MIN, 1e15}, {0, ABOVE(1e15)}},
    {"beta_fast", {0, 1e15}, {-DBL_MIN, ABOVE(1e15)}},
    {"beta_slow", {0, 1e15}, {-DBL_MIN, ABOVE(1e15)}},
    {"mscale", {0, 1e15}, {-DBL_MIN, ABOVE(1e15)}},
    {"mscale_all_dim", {0, 1e15}, {-DBL_MIN, ABOVE(1e15)}},
    {"short_mscale", {DBL_MIN, 1e15}, {0, ABOVE(1e15)}},
    {"long_mscale", {DBL_MIN, 1e15}, {0, ABOVE(1e15)}},
    {"low_freq_factor", {DBL_MIN, 1e15}, {0, ABOVE(1e15)}},
    {"high_freq_factor", {DBL_MIN, 1e15}, {0, ABOVE(1e15)}},
    {"ntk_factor", {0, 1}, {-DBL_MIN, ABOVE(1)}},
    {"extrapolation_factor", {0, 1}, {-DBL_MIN, ABOVE(1)}},
    {"partial_rotary_factor", {DBL_MIN, 1}, {0, ABOVE(1)}},
    {"rope_theta", {DBL_MIN, DBL_MAX}, {0, -1}},
    {"short_factor", {1e-6, 1e15}, {BELOW(1e-6), ABOVE(1e15)}},
    {"long_factor", {1e-6, 1e15}, {BELOW(1e-6), ABOVE(1e15)}},
    {"mrope_section", {0, POSENC_DIM_MAX}, {-1, POSENC_DIM_MAX + 1}},
    {"xdrope_section", {0, POSENC_DIM_MAX}, {-1, POSENC_DIM_MAX + 1}},
};

/* Binds {member: number}, as a list where the row wants one. */
static enum posenc_status bind_one(const char *member, double number)
{
    static const struct posenc_parameter *const groups[] = {posenc__rope_scaling_rows, NULL};
    const enum posenc_type type = find_row(member)->type;
    const struct posenc_schema schema = {.groups = groups};
    const struct posenc_member given = {member,
                                        type == POSENC_TYPE_REALS || type == POSENC_TYPE_INTEGERS
                                            ? posenc_numbers(&number, 1)
                                            : posenc_number(number)};
    const struct posenc_value input = posenc_object(&given, 1);
    struct posenc_arguments arguments;
    struct posenc_problem problem;
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    const enum posenc_status status = posenc_bind(&schema, &input, &memory, &arguments, &problem);

    posenc_memory_release(&memory);
    return status;
}

Test(rope_scaling_rows, numbers_end_where_their_meaning_does)
{
    for (size_t k = 0; k < COUNT_OF(limits); k++)
        for (size_t i = 0; i < 2; i++) {
            cr_expect_eq(bind_one(limits[k].member, limits[k].inside[i]), POSENC_OK, "%s = %g",
                         limits[k].member, limits[k].inside[i]);
            cr_expect_eq(bind_one(limits[k].member, limits[k].outside[i]), POSENC_OUT_OF_RANGE,
                         "%s = %g", limits[k].member, limits[k].outside[i]);
        }
    for (const struct posenc_parameter *row = posenc__rope_scaling_rows; row->name; row++) {
        bool is_listed = row->type == POSENC_TYPE_TEXT || row->type == POSENC_TYPE_CHOICE ||
                         row->type == POSENC_TYPE_BOOLEAN ||
                         strcmp(row->name, "attn_factor") == 0 ||
                         strcmp(row->name, "llama_4_scaling_beta") == 0;

        for (size_t k = 0; k < COUNT_OF(limits); k++)
            is_listed = is_listed || strcmp(limits[k].member, row->name) == 0;
        cr_expect(is_listed, "%s has limits that nothing tries", row->name);
    }
}

Test(rope_scaling_rows, lengths_and_sections_are_whole)
{
    static const char *const whole[] = {"seq_length", "original_max_position_embeddings",
                                        "mrope_section", "xdrope_section"};

    for (size_t k = 0; k < COUNT_OF(whole); k++)
        cr_expect_eq(bind_one(whole[k], 2.5), POSENC_WRONG_TYPE, "%s", whole[k]);
}
