/* The answer in words: each agreement, each view, each verdict. */
#include "asking.h"
#include "identify.h"

static struct posenc__fit fit(enum posenc__agreement agreement, enum posenc_dtype dtype,
                              int decimals)
{
    return (struct posenc__fit){
        .agreement = agreement, .dtype = dtype, .decimals = decimals, .max_difference = 0.0123456};
}

Test(identify_words, an_agreement_names_its_type_or_its_decimals)
{
    static const struct {
        enum posenc__agreement agreement;
        enum posenc_dtype dtype;
        int decimals;
        const char *words;
    } rows[] = {
        {POSENC__AGREE_SAME, POSENC_FLOAT32, -1, "rounded once to float32"},
        {POSENC__AGREE_SAME, POSENC_BFLOAT16, -1, "rounded once to bfloat16"},
        {POSENC__AGREE_SAME, POSENC_BFLOAT16, 4, "printed to 4 decimals"},
        {POSENC__AGREE_SAME, POSENC_FLOAT64, 0, "printed to 0 decimals"},
        {POSENC__AGREE_SAME, POSENC_INT64, -1, "to the last integer"},
        {POSENC__AGREE_NEAR, POSENC_FLOAT16, -1, "to two units in the last place of float16"},
        {POSENC__AGREE_CLOSE, POSENC_FLOAT32, -1, "but for differences up to 0.0123"},
        {POSENC__AGREE_NOT, POSENC_FLOAT32, -1, "but for differences up to 0.0123"},
    };
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct posenc__fit one = fit(rows[i].agreement, rows[i].dtype, rows[i].decimals);

        cr_expect_str_eq(posenc__agreement_words(&one, &memory), rows[i].words);
    }
    posenc_memory_release(&memory);
}

Test(identify_words, a_view_says_what_became_of_a_right_tensor)
{
    static const struct {
        enum posenc__view_kind kind;
        double number;
        const char *words;
    } rows[] = {
        {POSENC__VIEW_SCALED, 1.5, "it is multiplied by 1.5"},
        {POSENC__VIEW_SCALED, -1, "its sign is the other one"},
        {POSENC__VIEW_SCALED, -1.00001, "it is multiplied by -1.00001"},
        {POSENC__VIEW_ROW_OFFSET, 0,
         "a constant is added to each row, which a softmax over the row does not see"},
        {POSENC__VIEW_TRANSPOSED, 0, "its last two axes are exchanged"},
        {POSENC__VIEW_ZERO_TAIL, 512, "rows from 512 on are zero"},
        {POSENC__VIEW_LAST_TAIL, 3, "rows from 3 on repeat the one before"},
        {POSENC__VIEW_WRAPPED, 1048576, "it begins anew after 1048576 rows"},
        {POSENC__VIEW_INPUT_TAIL, 1, "rows from 1 on are as they came in"},
        {POSENC__VIEW_INPUT_TAIL, 0, "nothing was applied"},
        {POSENC__VIEW_COLUMNS, 0, "its columns stand in another order"},
        {POSENC__VIEW_HEADS, 0, "the entries of its first axis stand in another order"},
    };
    const struct posenc__view none = {0};
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct posenc__view view = {.kind = rows[i].kind, .number = rows[i].number};

        cr_expect_str_eq(posenc__view_words(&view, &memory), rows[i].words);
    }
    cr_expect_null(posenc__view_words(&none, &memory));
    posenc_memory_release(&memory);
}

static struct posenc__change base = {.parameter = "base", .words = "'base' is 3 instead of 2"};
static struct posenc__change offset = {.parameter = "offset", .words = "'offset' is 1"};

struct told {
    bool has_expectation, is_named;
    size_t changes, guesses; /* of the best guess; as good as it */
    enum posenc__agreement agreement;
    bool is_applied, is_cut;
    const char *verdict, *statement;
};

static void expect_told(const struct told *told, struct posenc_memory *memory)
{
    static struct posenc__question question;
    const struct posenc_encoding *rope = posenc_find("rope");
    struct posenc__context *context = &question.contexts[0];

    question = (struct posenc__question){.has_expectation = told->has_expectation,
                                         .is_named = told->is_named,
                                         .best_count = told->guesses,
                                         .memory = memory};
    (void)strcpy(question.refusal.detail, "'dim' is required.");
    context->encoding = rope;
    context->operation = posenc_find_operation(rope, told->is_applied ? "apply" : "table");
    context->part = &context->operation->tensors[0];
    context->is_applied = told->is_applied;
    for (size_t i = 0; i < told->guesses; i++)
        question.best[i] = (struct posenc__guess){
            .context = context,
            .changes = {&base, &offset},
            .change_count = told->changes,
            .view = {.kind = told->is_cut ? POSENC__VIEW_ZERO_TAIL : POSENC__VIEW_NONE,
                     .number = 7},
            .fit = fit(told->agreement, POSENC_FLOAT32, -1)};
    cr_expect_str_eq(posenc__verdict(&question), told->verdict);
    cr_expect_str_eq(posenc__statement(&question), told->statement);
}

Test(identify_words, a_verdict_is_a_sentence_too)
{
    static const struct told rows[] = {
        {true, true, 0, 1, POSENC__AGREE_SAME, false, false, "right",
         "Right: it is 'cos' of 'rope' as expected, rounded once to float32."},
        {true, true, 1, 1, POSENC__AGREE_SAME, false, false, "mistaken",
         "Not as expected: it is 'cos' of 'rope' where 'base' is 3 instead of 2; so it is right, "
         "rounded once to float32."},
        {true, true, 2, 1, POSENC__AGREE_SAME, true, true, "mistaken",
         "Not as expected: it is 'x' under 'rope' where 'base' is 3 instead of 2, and 'offset' is "
         "1, and rows from 7 on are zero; so it is right, rounded once to float32."},
        {true, true, 0, 1, POSENC__AGREE_SAME, false, true, "mistaken",
         "Not as expected: it is 'cos' of 'rope' where rows from 7 on are zero; so it is right, "
         "rounded once to float32."},
        {false, false, 0, 1, POSENC__AGREE_SAME, false, false, "identified",
         "It is 'cos' of 'rope' with its defaults, rounded once to float32."},
        {false, true, 1, 1, POSENC__AGREE_NEAR, false, false, "identified",
         "It is 'cos' of 'rope' where 'base' is 3 instead of 2, to two units in the last place of "
         "float32."},
        {false, false, 0, 2, POSENC__AGREE_SAME, false, false, "identified",
         "It is 'cos' of 'rope' with its defaults, rounded once to float32. 1 other explanation "
         "fits as well; rows at far positions may tell them apart."},
        {false, false, 0, 3, POSENC__AGREE_SAME, false, false, "identified",
         "It is 'cos' of 'rope' with its defaults, rounded once to float32. 2 other explanations "
         "fit as well; rows at far positions may tell them apart."},
        {true, true, 0, 1, POSENC__AGREE_CLOSE, false, false, "close",
         "Nearly 'cos' of 'rope' as expected: it differs by up to 0.0123, which is more than "
         "rounding once; a step was probably computed in a small type."},
        {true, true, 1, 1, POSENC__AGREE_CLOSE, false, false, "close",
         "Nearly 'cos' of 'rope' where 'base' is 3 instead of 2: it differs by up to 0.0123, which "
         "is more than rounding once; a step was probably computed in a small type."},
        {true, true, 0, 1, POSENC__AGREE_NOT, false, false, "unexplained",
         "No explanation was found. Nearest is 'cos' of 'rope', with differences up to 0.0123."},
        {false, false, 1, 1, POSENC__AGREE_NOT, false, false, "unexplained",
         "No explanation was found. Nearest is 'cos' of 'rope' where 'base' is 3 instead of 2, "
         "with differences up to 0.0123."},
        {true, true, 0, 0, POSENC__AGREE_NOT, false, false, "not_comparable",
         "Not comparable: 'dim' is required."},
        {false, false, 0, 0, POSENC__AGREE_NOT, false, false, "not_comparable",
         "Not comparable: no encoding gives a tensor of this shape with what was told; name "
         "'encoding' and 'parameters' to learn what is missing."},
    };
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        expect_told(&rows[i], &memory);
    posenc_memory_release(&memory);
}

Test(identify_words, an_approximation_without_expectation_is_nearly_what_it_is)
{
    const struct told told = {
        .guesses = 1,
        .agreement = POSENC__AGREE_CLOSE,
        .verdict = "close",
        .statement = "Nearly 'cos' of 'rope' with its defaults: it differs by up to 0.0123, which "
                     "is more than rounding once; a step was probably computed in a small type."};
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    expect_told(&told, &memory);
    posenc_memory_release(&memory);
}
