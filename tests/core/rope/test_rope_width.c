/* How many channels turn, how many are in pairs, and whether they fit into the head. */
#include "asking.h"
#include "exact.h"
#include "rope.h"

#define MEMBERS_MAX 3

/* What is given beside "dim"; a request's members, then the dictionary's. */
struct width_row {
    double dim;
    struct posenc_member top[MEMBERS_MAX], scaling[MEMBERS_MAX];
    double rotary_dim; /* 0: refused, naming `parameter` */
    const char *parameter;
    enum posenc_status status;
};

#define ROTARY(n)        POSENC__SET_NUMBER("rotary_dim", n)
#define OFFSET(n)        POSENC__SET_NUMBER("rotary_offset", n)
#define SHARE(x)         POSENC__SET_NUMBER("partial_rotary_factor", x)
#define TYPE(name, word) POSENC__SET_TEXT(name, word)

static size_t count_members(const struct posenc_member members[MEMBERS_MAX])
{
    size_t count = 0;

    while (count < MEMBERS_MAX && members[count].name)
        count++;
    return count;
}

static void ask_width(struct asked *asked, const struct width_row *row)
{
    struct posenc_member members[MEMBERS_MAX + 3] = {{"dim", posenc_number(row->dim)},
                                                     {"length", posenc_number(2)}};
    const size_t top = count_members(row->top), inside = count_members(row->scaling);

    memcpy(members + 2, row->top, top * sizeof(*members));
    members[2 + top] = (struct posenc_member){"scaling", posenc_object(row->scaling, inside)};
    ask_members(asked, "rope", "table", members, top + 2 + (inside > 0));
}

static const struct width_row rows[] = {
    {.dim = 8, .rotary_dim = 8},
    {.dim = 8, .top = {ROTARY(6)}, .rotary_dim = 6},
    {.dim = 8, .top = {ROTARY(6), OFFSET(2)}, .rotary_dim = 6},
    /* The truncated product of doubles, as Python's int(dim * share). */
    {.dim = 192, .top = {SHARE(0.334)}, .rotary_dim = 64},
    {.dim = 36, .top = {SHARE(0.9)}, .rotary_dim = 32},
    {.dim = 80, .top = {SHARE(0.25)}, .rotary_dim = 20},
    {.dim = 128, .scaling = {SHARE(0.75)}, .rotary_dim = 96},
    {.dim = 128, .top = {SHARE(0.75)}, .scaling = {SHARE(0.75)}, .rotary_dim = 96},
    {.dim = 80, .top = {SHARE(0.25), ROTARY(20)}, .rotary_dim = 20},

    {.dim = 7, .parameter = "dim", .status = POSENC_OUT_OF_RANGE},
    {.dim = 8, .top = {ROTARY(5)}, .parameter = "rotary_dim", .status = POSENC_OUT_OF_RANGE},
    {.dim = 8, .top = {ROTARY(10)}, .parameter = "rotary_dim", .status = POSENC_OUT_OF_RANGE},
    {.dim = 128, /* 89 */
     .top = {SHARE(0.7)},
     .parameter = "partial_rotary_factor",
     .status = POSENC_OUT_OF_RANGE},
    {.dim = 128,
     .scaling = {SHARE(0.7)},
     .parameter = "scaling.partial_rotary_factor",
     .status = POSENC_OUT_OF_RANGE},
    {.dim = 8, /* no channel is left */
     .top = {SHARE(0.1)},
     .parameter = "partial_rotary_factor",
     .status = POSENC_OUT_OF_RANGE},
    {.dim = 88, /* int(88 * (30 / 88)) = 29: a ratio loses one, and 30 is not what it says */
     .top = {SHARE(30.0 / 88.0), ROTARY(30)},
     .parameter = "rotary_dim",
     .status = POSENC_CONFLICT},
    {.dim = 128,
     .top = {SHARE(0.75)},
     .scaling = {SHARE(0.5)},
     .parameter = "partial_rotary_factor",
     .status = POSENC_CONFLICT},
    {.dim = 8,
     .top = {ROTARY(6), OFFSET(3)},
     .parameter = "rotary_offset",
     .status = POSENC_CONFLICT},
    {.dim = 8, .top = {OFFSET(1)}, .parameter = "rotary_offset", .status = POSENC_CONFLICT},
};

static void expect_width(const struct width_row *row)
{
    struct asked asked;

    ask_width(&asked, row);
    if (row->rotary_dim > 0) {
        cr_assert_eq(asked.status, POSENC_OK, "dim %g: %s", row->dim, asked.problem.detail);
        cr_expect_eq(posenc_find_argument(&asked.arguments, "rotary_dim")->value.as.number,
                     row->rotary_dim, "dim %g", row->dim);
    } else {
        expect_refusal(&asked, row->status, row->parameter);
    }
    posenc_memory_release(&asked.memory);
}

Test(rope_width, follows_from_rotary_dim_or_a_share_that_do_not_contradict)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        expect_width(&rows[i]);
}

#define PROPORTIONAL TYPE("rope_type", "proportional")

/* Its pairs span the head, so there is no room for an offset whatever the share that turns. */
static const struct width_row proportional_rows[] = {
    {.dim = 8, .scaling = {PROPORTIONAL, SHARE(0.5)}, .rotary_dim = 8},
    {.dim = 8, .scaling = {TYPE("type", "proportional"), SHARE(0.5)}, .rotary_dim = 8},
    {.dim = 8, .top = {ROTARY(4)}, .scaling = {PROPORTIONAL}, .rotary_dim = 4},
    {.dim = 8,
     .top = {ROTARY(4), OFFSET(4)},
     .scaling = {PROPORTIONAL},
     .parameter = "rotary_offset",
     .status = POSENC_CONFLICT},
    {.dim = 8,
     .top = {SHARE(0.5), OFFSET(1)},
     .scaling = {TYPE("type", "proportional")},
     .parameter = "rotary_offset",
     .status = POSENC_CONFLICT},
    {.dim = 7,
     .top = {ROTARY(4)},
     .scaling = {PROPORTIONAL},
     .parameter = "dim",
     .status = POSENC_OUT_OF_RANGE},
    /* rope_type wins over type, so this one is not proportional */
    {.dim = 8,
     .top = {ROTARY(4), OFFSET(4)},
     .scaling = {TYPE("rope_type", "default"), TYPE("type", "proportional")},
     .rotary_dim = 4},
};

Test(rope_width, a_refusal_says_how_many_channels_would_turn_and_may)
{
    const struct width_row row = {.dim = 7};
    struct asked asked;

    ask_width(&asked, &row);
    cr_expect_eq(asked.status, POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.detail,
                     "'dim' makes 7 of 7 channels turn; an even number of them must, at least 2.");
    posenc_memory_release(&asked.memory);
}

Test(rope_width, proportional_pairs_channels_of_the_whole_head)
{
    for (size_t i = 0; i < sizeof(proportional_rows) / sizeof(*proportional_rows); i++)
        expect_width(&proportional_rows[i]);
}

Test(rope_width, paired_channels_are_the_head_where_pairs_span_it)
{
    static const struct {
        const char *type, *rule;
        size_t paired;
    } cases[] = {{"proportional", NULL, 16},
                 {"default", NULL, 8},
                 {"proportional", "blocks", 8}}; /* an image's axes share what turns */

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct posenc_member type = {"rope_type", posenc_text(cases[i].type)};
        const struct posenc_member members[] = {
            {"dim", posenc_number(16)},
            {"rotary_dim", posenc_number(8)},
            {"scaling", posenc_object(&type, 1)},
            {"axes_rule", cases[i].rule ? posenc_text(cases[i].rule) : posenc_null()},
            {"grid", LIST(2, 2)},
        };
        struct asked asked;

        ask_members(&asked, "rope", "table", members, cases[i].rule ? 5 : 3);
        cr_expect_eq(posenc__rope_paired_dim(&asked.arguments), cases[i].paired, "case %zu", i);
        posenc_memory_release(&asked.memory);
    }
}

/* A dictionary that named its scheme by the older word once lost its share here. */
Test(rope_width, the_legacy_type_proportional_counts_as_rope_type)
{
    static const char *const names[] = {"type", "rope_type"};

    for (size_t i = 0; i < 2; i++) {
        const struct posenc_member scaling[] = {
            {names[i], posenc_text("proportional")},
            {"partial_rotary_factor", posenc_number(0.5)},
        };
        struct asked asked;

        ask(&asked, "rope", "apply", {"dtype", posenc_text("float64")},
            {"x", ROWS(1, 8, 1, 2, 3, 4, 5, 6, 7, 8)}, {"positions", LIST(3)},
            {"layout", posenc_text("half")}, {"scaling", posenc_object(scaling, 2)});
        EXPECT_VALUES(&asked, "x", 1e-14, -1.6955925368997816, 0.13755173828317459, 3, 4,
                      -4.8088424749423601, 6.3230593480763153, 7, 8);
        posenc_memory_release(&asked.memory);
    }
}

/* Whatever is asked: refused, or all pairs lie within the head. */
Test(rope_width, no_pair_lies_outside_of_the_head)
{
    static const char *const types[] = {"default", "proportional"};
    uint64_t seed = 5;
    int answered = 0;

    for (int draw = 0; draw < 20000; draw++) {
        const double dim = (double)(1 + exact_bits(&seed) % 24);
        const double rotary_dim = (double)(1 + exact_bits(&seed) % 24);
        const double offset = (double)(exact_bits(&seed) % 12);
        const double sections[] = {(double)(exact_bits(&seed) % 4), (double)(exact_bits(&seed) % 4),
                                   (double)(exact_bits(&seed) % 4)};
        const struct posenc_member type = {"rope_type", posenc_text(types[exact_bits(&seed) % 2])};
        const struct posenc_member members[] = {{"dim", posenc_number(dim)},
                                                {"length", posenc_number(1)},
                                                {"rotary_offset", posenc_number(offset)},
                                                {"scaling", posenc_object(&type, 1)},
                                                {"rotary_dim", posenc_number(rotary_dim)},
                                                {"mrope_order", posenc_text("chunked")},
                                                {"mrope_section", posenc_numbers(sections, 3)}};
        struct asked asked;

        ask_members(&asked, "rope", "table", members, exact_bits(&seed) % 2 ? 7 : 5);
        if (asked.status == POSENC_OK) {
            const struct posenc_tensor *cosines = posenc_find_tensor(&asked.result, "cos");

            cr_expect_leq(2 * (double)cosines->count + offset, dim, "draw %d", draw);
            answered++;
        }
        posenc_memory_release(&asked.memory);
    }
    cr_expect_gt(answered, 500);
}
