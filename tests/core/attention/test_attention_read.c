/* Attention's question: shapes, heads, positions, options, and how much is too much. */
#include "attending.h"

Test(attention_read, heads_are_the_axis_in_front_of_the_length)
{
    static const double numbers[2 * 4 * 3 * 2];
    static const struct {
        size_t rank, q[4], k[4], matrices, heads, kv_heads, queries, keys;
    } rows[] = {
        {2, {3, 2}, {5, 2}, 1, 1, 1, 3, 5},
        {3, {4, 3, 2}, {4, 3, 2}, 4, 4, 4, 3, 3},
        {3, {4, 3, 2}, {2, 5, 2}, 4, 4, 2, 3, 5},
        {3, {4, 3, 2}, {1, 0, 2}, 4, 4, 1, 3, 0},
        {4, {2, 4, 3, 2}, {2, 1, 3, 2}, 8, 4, 1, 3, 3},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct posenc_array q =
            shaped(numbers, rows[i].rank, rows[i].q[0], rows[i].q[1], rows[i].q[2], rows[i].q[3]);
        const struct posenc_array k =
            shaped(numbers, rows[i].rank, rows[i].k[0], rows[i].k[1], rows[i].k[2], rows[i].k[3]);
        struct question question;

        read_question(&question, UNDER("none"), OPEN, {"q", posenc_nested(&q)},
                      {"k", posenc_nested(&k)});
        cr_assert_eq(question.status, POSENC_OK, "row %zu: %s", i, question.problem.detail);
        cr_expect_eq(question.attention.matrices, rows[i].matrices, "row %zu", i);
        cr_expect_eq(question.attention.heads, rows[i].heads, "row %zu", i);
        cr_expect_eq(question.attention.kv_heads, rows[i].kv_heads, "row %zu", i);
        cr_expect_eq(question.attention.queries, rows[i].queries, "row %zu", i);
        cr_expect_eq(question.attention.keys, rows[i].keys, "row %zu", i);
        cr_expect_eq(question.attention.width, 2, "row %zu", i);
        cr_expect_eq(question.attention.q.offset, (double)rows[i].keys - (double)rows[i].queries,
                     "row %zu", i);
        posenc_memory_release(&question.memory);
    }
}

Test(attention_read, shapes_that_do_not_meet_are_refused)
{
    static const double numbers[2 * 4 * 3 * 2];
    static const struct {
        size_t rank, q[4], k_rank, k[4], v_rank, v[4];
        const char *parameter;
    } rows[] = {
        {1, {4}, 2, {3, 2}, 0, {0}, "q"},
        {2, {3, 2}, 1, {4}, 0, {0}, "k"},
        {2, {3, 2}, 3, {1, 3, 2}, 0, {0}, "k"},
        {2, {3, 2}, 2, {3, 3}, 0, {0}, "k"},       /* another width */
        {3, {3, 1, 2}, 3, {2, 1, 2}, 0, {0}, "k"}, /* 2 does not divide 3 */
        {3, {2, 1, 2}, 3, {4, 1, 2}, 0, {0}, "k"}, /* more heads than queries have */
        {3, {2, 1, 2}, 3, {0, 1, 2}, 0, {0}, "k"},
        {4, {2, 2, 1, 2}, 4, {1, 2, 1, 2}, 0, {0}, "k"}, /* batches do not share */
        {2, {3, 0}, 2, {3, 0}, 0, {0}, "q"},
        {2, {3, 2}, 2, {3, 2}, 2, {2, 2}, "v"}, /* a row is missing */
        {2, {3, 2}, 2, {3, 2}, 3, {1, 3, 2}, "v"},
        {3, {4, 1, 2}, 3, {2, 3, 2}, 3, {4, 3, 2}, "v"}, /* heads are those of the keys */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct posenc_array q =
            shaped(numbers, rows[i].rank, rows[i].q[0], rows[i].q[1], rows[i].q[2], rows[i].q[3]);
        const struct posenc_array k =
            shaped(numbers, rows[i].k_rank, rows[i].k[0], rows[i].k[1], rows[i].k[2], rows[i].k[3]);
        const struct posenc_array v =
            shaped(numbers, rows[i].v_rank, rows[i].v[0], rows[i].v[1], rows[i].v[2], rows[i].v[3]);
        struct question question;

        read_question(&question, UNDER("none"), OPEN, {"q", posenc_nested(&q)},
                      {"k", posenc_nested(&k)},
                      {"v", rows[i].v_rank ? posenc_nested(&v) : posenc_null()});
        expect_unread(&question, POSENC_WRONG_SHAPE, rows[i].parameter);
        posenc_memory_release(&question.memory);
    }
}

Test(attention_read, tensors_come_as_doubles)
{
    static const float numbers[] = {0.1f, -2.5f};
    const struct posenc_array array = {
        .dtype = POSENC_FLOAT32, .rank = 2, .shape = {1, 2}, .data = numbers};
    struct question question;

    read_question(&question, UNDER("none"), OPEN, {"q", posenc_nested(&array)},
                  {"k", posenc_nested(&array)}, {"v", posenc_nested(&array)});
    cr_assert_eq(question.status, POSENC_OK);
    cr_expect_eq(question.v.dtype, POSENC_FLOAT64);
    cr_expect_eq(((const double *)question.attention.q.content.data)[0], (double)0.1f);
    cr_expect_eq(((const double *)question.v.data)[1], -2.5);
    posenc_memory_release(&question.memory);
}

/* 2048 queries and 2048 keys are the most scores; 2^30 products are the most work. */
Test(attention_read, work_ends_at_its_limits)
{
    static const double numbers[2049 * 129];
    static const struct {
        size_t queries, keys, width, value_width;
        enum posenc_status status;
    } rows[] = {
        {2048, 2048, 1, 1, POSENC_OK},
        {2049, 2048, 1, 1, POSENC_TOO_LARGE},
        {2048, 2049, 1, 1, POSENC_TOO_LARGE},
        {2048, 2048, 128, 128, POSENC_OK},
        {2048, 2048, 129, 128, POSENC_TOO_LARGE},
        {2048, 2048, 128, 129, POSENC_TOO_LARGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct question question;

        read_question(&question, UNDER("none"), OPEN,
                      {"q", asking_rows(rows[i].queries, rows[i].width, numbers)},
                      {"k", asking_rows(rows[i].keys, rows[i].width, numbers)},
                      {"v", asking_rows(rows[i].keys, rows[i].value_width, numbers)});
        expect_unread(&question, rows[i].status, rows[i].status == POSENC_OK ? "" : "q");
        posenc_memory_release(&question.memory);
    }
}

/* Heads count, too. */
Test(attention_read, scores_of_all_heads_are_counted)
{
    static const double numbers[2 * 2048];
    const struct posenc_array q = shaped(numbers, 3, 2, 2048, 1, 0);
    struct question question;

    read_question(&question, UNDER("none"), OPEN, {"q", posenc_nested(&q)},
                  {"k", posenc_nested(&q)});
    expect_unread(&question, POSENC_TOO_LARGE, "q");
    posenc_memory_release(&question.memory);
}

Test(attention_read, positions_come_together_and_one_a_row)
{
    const struct posenc_member q1 = {"q_positions", LIST(1)}, k1 = {"k_positions", LIST(1)};
    const struct posenc_member k2 = {"k_positions", LIST(1, 2)};
    const struct posenc_member lists = {"q_positions", ROWS(3, 1, 1, 2, 3)};
    const struct {
        const char *encoding;
        struct posenc_member first, second;
        enum posenc_status status;
        const char *parameter;
    } rows[] = {
        {"rope", q1, k1, POSENC_OK, ""},
        {"none", q1, k1, POSENC_OK, ""},
        {"rope", lists, k1, POSENC_OK, ""}, /* the last axis counts rows */
        {"rope", q1, {"scale", posenc_number(1)}, POSENC_MISSING_PARAMETER, "k_positions"},
        {"rope", {"scale", posenc_number(1)}, k1, POSENC_MISSING_PARAMETER, "q_positions"},
        {"rope", q1, k2, POSENC_WRONG_SHAPE, "k_positions"},
        {"alibi", q1, k1, POSENC_CONFLICT, "q_positions"},
        {"shaw", q1, k1, POSENC_CONFLICT, "q_positions"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct question question;

        read_question(&question, UNDER(rows[i].encoding), OPEN, rows[i].first, rows[i].second,
                      {"q", ROWS(1, 2, 1, 2)}, {"k", ROWS(1, 2, 1, 2)});
        expect_unread(&question, rows[i].status, rows[i].parameter);
        posenc_memory_release(&question.memory);
    }
}

Test(attention_read, options_that_have_no_part_are_refused)
{
    const struct posenc_member terms = {"terms", posenc_boolean(true)};
    const struct posenc_member linear = {"kind", posenc_text("linear")};
    const struct posenc_member scale = {"scale", posenc_number(1)};
    const struct posenc_member raw = {"softmax", posenc_boolean(false)};
    const struct {
        const char *encoding;
        struct posenc_member first, second;
        enum posenc_status status;
        const char *parameter;
    } rows[] = {
        {"ropee", scale, linear, POSENC_OUT_OF_RANGE, "encoding"},
        {"timestep", scale, raw, POSENC_CONFLICT, "encoding"}, /* no part in attention */
        {"cope", scale, raw, POSENC_CONFLICT, "encoding"},
        {"alibi", terms, scale, POSENC_CONFLICT, "terms"},
        {"rope", terms, scale, POSENC_CONFLICT, "terms"},
        {"none", linear, terms, POSENC_CONFLICT, "terms"},
        {"sinusoidal", terms, raw, POSENC_OK, ""},
        {"alibi", linear, raw, POSENC_CONFLICT, "kind"},
        {"shaw", linear, raw, POSENC_CONFLICT, "kind"},
        {"none", linear, scale, POSENC_CONFLICT, "scale"},
        {"none", linear, raw, POSENC_CONFLICT, "softmax"},
        {"shaw", scale, raw, POSENC_CONFLICT, "scale"}, /* scales by itself */
        {"alibi", scale, raw, POSENC_OK, ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct question question;

        read_question(&question, UNDER(rows[i].encoding), OPEN, rows[i].first, rows[i].second,
                      {"q", ROWS(1, 2, 1, 2)}, {"k", ROWS(1, 2, 1, 2)});
        expect_unread(&question, rows[i].status, rows[i].parameter);
        posenc_memory_release(&question.memory);
    }
}

Test(attention_read, an_unknown_encoding_is_answered_with_the_nearest)
{
    struct question question;

    read_question(&question, UNDER("ropee"), OPEN, {"q", ROWS(1, 2, 1, 2)},
                  {"k", ROWS(1, 2, 1, 2)});
    cr_expect_str_eq(question.problem.suggestion, "rope");
    posenc_memory_release(&question.memory);
    read_question(&question, UNDER("rotary"), OPEN, {"q", ROWS(1, 2, 1, 2)},
                  {"k", ROWS(1, 2, 1, 2)});
    cr_assert_eq(question.status, POSENC_OK);
    cr_expect_str_eq(question.attention.encoding->name, "rope");
    posenc_memory_release(&question.memory);
}

/* 1 / sqrt(16), what is given, or 1 where somebody else scales. */
Test(attention_read, the_scale_is_that_of_the_width)
{
    static const double numbers[16];
    static const struct {
        const char *encoding, *kind;
        double scale;
    } rows[] = {{"none", "softmax", 0.25},
                {"rope", "softmax", 0.25},
                {"alibi", "softmax", 0.25},
                {"none", "linear", 1},
                {"shaw", "softmax", 1}};
    struct question question;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        read_question(&question, UNDER(rows[i].encoding), OPEN, {"kind", posenc_text(rows[i].kind)},
                      {"q", asking_rows(1, 16, numbers)}, {"k", asking_rows(1, 16, numbers)});
        cr_assert_eq(question.status, POSENC_OK, "%s", question.problem.detail);
        cr_expect_eq(question.attention.scale, rows[i].scale, "row %zu", i);
        posenc_memory_release(&question.memory);
    }
    read_question(&question, UNDER("none"), OPEN, SCALE(-3), {"q", asking_rows(1, 16, numbers)},
                  {"k", asking_rows(1, 16, numbers)});
    cr_expect_eq(question.attention.scale, -3);
    posenc_memory_release(&question.memory);
}
