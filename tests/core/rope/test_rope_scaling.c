/* Reading a scaling dictionary: what is refused, what is warned of, and the canonical form. */
#include "rope_scaling.h"

#include "rope_expect.h"

static const struct rope_refusal refusals[] = {
    {{.dim = 8, .scaling = "rope_type=lineal&factor=2"}, POSENC_OUT_OF_RANGE, "scaling.rope_type"},
    {{.dim = 8, .scaling = "type=lineal&factor=2"}, POSENC_OUT_OF_RANGE, "scaling.type"},
    {{.dim = 8, .scaling = "factor=2"}, POSENC_MISSING_PARAMETER, "scaling.rope_type"},
    {{.dim = 64, .base = 1e-12}, POSENC_OUT_OF_RANGE, "base"},
    {{.dim = 64, .base = 1e-300, .arithmetic = POSENC__ROPE_FLOAT32}, POSENC_OUT_OF_RANGE, "base"},
};

Test(rope_scaling, refuses_types_that_are_unknown_or_missing_and_frequencies_beyond_bounds)
{
    expect_rope_refusals(refusals, COUNT_OF(refusals));
}

Test(rope_scaling, a_factor_that_is_a_text_is_refused)
{
    const struct posenc_member members[] = {{"rope_type", posenc_text("linear")},
                                            {"factor", posenc_text("4")}};
    const struct posenc_value scaling = posenc_object(members, 2);
    const struct rope_asking asking = {.dim = 8};
    struct rope_asked asked = {.answer = {.pairs = 0}};

    posenc_memory_init(&asked.memory, POSENC_MEMORY_DEFAULT);
    cr_expect_eq(ask_rope_value(&asked, &asking, &scaling), POSENC_WRONG_TYPE);
    cr_expect_str_eq(asked.problem.parameter, "scaling.factor");
    posenc_memory_release(&asked.memory);
}

Test(rope_scaling, an_unknown_type_is_answered_with_the_known_ones)
{
    const struct rope_asking asking = {.dim = 8, .scaling = "type=longrop"};
    struct rope_asked asked = {.answer = {.pairs = 0}};

    cr_assert_eq(ask_rope(&asked, &asking), POSENC_OUT_OF_RANGE);
    cr_expect_str_eq(asked.problem.suggestion, "longrope");
    cr_expect_str_eq(asked.problem.value, "longrop");
    cr_expect_eq(asked.problem.allowed_count, 11);
    cr_expect_str_eq(asked.problem.allowed[0], "default");
    posenc_memory_release(&asked.memory);
}

static const struct rope_warning warnings[] = {
    {{.dim = 8, .scaling = "rope_type=linear&type=yarn&factor=4"}, "scaling.type"},
    {{.dim = 8, .scaling = "rope_type=default&factor=4"}, "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=linear&factor=4&beta_fast=32"}, "scaling.beta_fast"},
    {{.dim = 8, .scaling = "rope_type=linear&factor=4&attn_factor=1"}, "scaling.attn_factor"},
    {{.dim = 8, .scaling = "rope_type=linear&factor=4&colour=1"}, "scaling.colour"},
    {{.dim = 8, .scaling = "rope_type=dynamic&alpha=4&factor=2"}, "scaling.factor"},
    {{.dim = 8, .scaling = "rope_type=default&llama_4_scaling_beta=0.1"},
     "scaling.llama_4_scaling_beta"},
};

Test(rope_scaling, warns_of_what_it_leaves_out)
{
    expect_rope_warnings(warnings, COUNT_OF(warnings));
}

static const char *const silent[] = {
    "rope_type=default&rope_theta=5&partial_rotary_factor=1&mrope_section=1,1,2",
    "type=mrope&mrope_section=1,1,2",
    "rope_type=default&mrope_interleaved=true",
    "rope_type=longrope&type=su&short_factor=1,1,1,1&long_factor=1,1,1,1&factor=2" TRAINED,
    "rope_type=yarn&factor=2" TRAINED,
    "rope_theta=5",
};

Test(rope_scaling, says_nothing_of_members_that_others_read)
{
    for (size_t i = 0; i < sizeof(silent) / sizeof(*silent); i++) {
        const struct rope_asking asking = {
            .dim = 8, .scaling = silent[i], .max_position_embeddings = 8192, .sequence_length = 7};
        struct rope_asked asked = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK, "%s: %s", silent[i],
                     asked.problem.detail);
        cr_expect_eq(asked.arguments.warning_count, 0, "%s", silent[i]);
        posenc_memory_release(&asked.memory);
    }
}

/* A dictionary and its canonical one, both as query strings. */
struct canonical {
    const char *scaling, *canonical;
};

static const struct canonical canonicals[] = {
    {"rope_type=default", "rope_type=default"},
    {"type=mrope&mrope_section=1,1,2", "rope_type=default"},
    {"rope_theta=7", "rope_type=default"},
    {"type=linear&factor=2", "rope_type=linear&factor=2"},
    {"rope_type=ntk&alpha=3", "rope_type=ntk&alpha=3"},
    {"rope_type=ntk&factor=3", "rope_type=ntk_fixed&factor=3"},
    {"rope_type=ntk&factor=3&mixed_b=0.5", "rope_type=ntk_fixed&factor=3&mixed_b=0.5"},
    {"type=xdrope&alpha=1000", "rope_type=ntk&alpha=1000"},
    {"rope_type=dynamic&alpha=0&factor=2", "rope_type=dynamic&factor=2"},
    {"type=dynamic_qwen&seq_length=2048", "rope_type=dynamic_qwen&seq_length=2048"},
    {"rope_type=ntk-by-parts&factor=2" TRAINED,
     "rope_type=ntk_by_parts&factor=2" TRAINED "&ntk_factor=1&extrapolation_factor=1"},
    {"type=yarn&beta_fast=0" TRAINED,
     "rope_type=yarn&factor=2" TRAINED "&beta_fast=32&beta_slow=1&truncate=true"},
    {"type=deepseek_yarn&factor=2&mscale=0.5&mscale_all_dim=1" TRAINED,
     "rope_type=yarn&factor=2" TRAINED
     "&beta_fast=32&beta_slow=1&truncate=true&mscale=0.5&mscale_all_dim=1"},
    {"type=su&short_factor=1,1,1,1&long_factor=2,2,2,2" TRAINED,
     "rope_type=longrope&factor=2" TRAINED "&short_factor=1,1,1,1&long_factor=2,2,2,2"},
    {"high_freq_factor=4&low_freq_factor=1&factor=8&type=llama3" TRAINED,
     "rope_type=llama3&factor=8&low_freq_factor=1&high_freq_factor=4" TRAINED},
    {"rope_type=proportional&partial_rotary_factor=0.5",
     "rope_type=proportional&factor=1&partial_rotary_factor=0.5"},
};

static void expect_same_value(const char *words, const char *name, const struct posenc_value *value,
                              const struct posenc_value *right)
{
    const struct posenc_untyped *text = &right->as.untyped;

    if (value->kind == POSENC_TEXT)
        cr_expect_str_eq(value->as.text, text->text, "%s: %s", words, name);
    else if (value->kind == POSENC_BOOLEAN)
        cr_expect_eq(value->as.boolean, strcmp(text->text, "true") == 0, "%s: %s", words, name);
    else if (value->kind == POSENC_NUMBER)
        cr_expect_eq(value->as.number, text->numbers[0], "%s: %s", words, name);
    else
        cr_expect_eq(value->as.array.shape[0], text->count, "%s: %s", words, name);
}

Test(rope_scaling, the_canonical_form_has_the_defaults_that_were_used)
{
    for (size_t k = 0; k < sizeof(canonicals) / sizeof(*canonicals); k++) {
        const struct rope_asking asking = {.dim = 8,
                                           .scaling = canonicals[k].scaling,
                                           .max_position_embeddings = 8192,
                                           .sequence_length = 7};
        struct rope_asked asked = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&asked, &asking), POSENC_OK, "%s: %s", asking.scaling,
                     asked.problem.detail);
        const struct posenc_value right =
            question_dictionary(&asked.memory, canonicals[k].canonical);
        const struct posenc_members *members = &asked.answer.canonical.as.object;

        cr_assert_eq(members->count, right.as.object.count, "%s", asking.scaling);
        for (size_t i = 0; i < members->count; i++) {
            cr_expect_str_eq(members->items[i].name, right.as.object.items[i].name);
            expect_same_value(asking.scaling, members->items[i].name, &members->items[i].value,
                              &right.as.object.items[i].value);
        }
        posenc_memory_release(&asked.memory);
    }
}

static void expect_same_frequencies(const struct posenc__rope_frequencies *a,
                                    const struct posenc__rope_frequencies *b, const char *words)
{
    cr_assert_eq(a->pairs, b->pairs);
    cr_expect_eq(a->attention_factor.hi, b->attention_factor.hi, "%s", words);
    for (size_t i = 0; i < a->pairs; i++)
        cr_expect_eq(a->radians[i].hi, b->radians[i].hi, "%s: pair %zu", words, i);
}

/* The type deepseek_yarn has become yarn with the dialect that the answer names. */
Test(rope_scaling, the_canonical_form_asks_for_the_same_frequencies)
{
    for (size_t k = 0; k < sizeof(canonicals) / sizeof(*canonicals); k++) {
        struct rope_asking asking = {.dim = 8,
                                     .scaling = canonicals[k].scaling,
                                     .max_position_embeddings = 8192,
                                     .sequence_length = 7};
        struct rope_asked first = {.answer = {.pairs = 0}}, second = {.answer = {.pairs = 0}};

        cr_assert_eq(ask_rope(&first, &asking), POSENC_OK);
        asking.dialect = first.answer.yarn_dialect;
        posenc_memory_init(&second.memory, POSENC_MEMORY_DEFAULT);
        cr_assert_eq(ask_rope_value(&second, &asking, &first.answer.canonical), POSENC_OK, "%s: %s",
                     asking.scaling, second.problem.detail);
        cr_expect_eq(second.arguments.warning_count, 0, "%s", asking.scaling);
        expect_same_frequencies(&first.answer, &second.answer, asking.scaling);
        posenc_memory_release(&first.memory);
        posenc_memory_release(&second.memory);
    }
}

Test(rope_scaling, no_dictionary_null_and_an_empty_one_are_no_scaling)
{
    const struct posenc_value values[] = {posenc_null(), posenc_object(NULL, 0)};
    const struct rope_asking asking = {.dim = 8};

    for (size_t i = 0; i < 2; i++) {
        struct rope_asked asked = {.answer = {.pairs = 0}};

        posenc_memory_init(&asked.memory, POSENC_MEMORY_DEFAULT);
        cr_assert_eq(ask_rope_value(&asked, &asking, &values[i]), POSENC_OK);
        cr_expect_eq(asked.answer.canonical.kind, POSENC_NULL);
        cr_expect_eq(asked.answer.radians[1].hi, 0.1);
        cr_expect_str_eq(asked.answer.region[1], "kept");
        posenc_memory_release(&asked.memory);
    }
}

static bool is_choice(const char *name)
{
    const struct posenc_parameter *row = posenc__rope_scaling_rows;

    while (strcmp(row->name, "rope_type") != 0)
        row++;
    for (size_t i = 0; row->choices[i]; i++)
        if (strcmp(row->choices[i], name) == 0)
            return true;
    return false;
}

/* The rows cannot see the table of schemes: the problem that lists it can be compared. */
Test(rope_scaling, every_scheme_is_a_choice_of_the_row)
{
    const struct rope_asking asking = {.dim = 8, .scaling = "type=none_such"};
    struct rope_asked asked = {.answer = {.pairs = 0}};

    cr_assert_eq(ask_rope(&asked, &asking), POSENC_OUT_OF_RANGE);
    for (size_t i = 0; i < asked.problem.allowed_count; i++)
        cr_expect(is_choice(asked.problem.allowed[i]), "%s", asked.problem.allowed[i]);
    posenc_memory_release(&asked.memory);
}

/* Memory that ends early is a status, wherever it ends. */
Test(rope_scaling, running_out_of_memory_is_reported)
{
    const struct rope_asking asking = {.dim = 131072,
                                       .scaling = "rope_type=yarn&factor=4" TRAINED,
                                       .arithmetic = POSENC__ROPE_GGML};
    size_t refused = 0;

    for (size_t limit = (size_t)1 << 17;; limit += (size_t)1 << 17) {
        struct rope_asked asked = {.answer = {.pairs = 0}};

        posenc_memory_init(&asked.memory, limit);
        const struct posenc_value scaling = question_dictionary(&asked.memory, asking.scaling);
        const enum posenc_status status = ask_rope_value(&asked, &asking, &scaling);

        posenc_memory_release(&asked.memory);
        if (status == POSENC_OK)
            break;
        cr_assert_eq(status, POSENC_NO_MEMORY);
        refused++;
    }
    cr_expect_gt(refused, 3);
}
