#include "model_types.h"

#include <criterion/criterion.h>
#include <string.h>

#include "facts.h"

static const struct posenc__model_type *const tables[] = {
    posenc__rope_types, posenc__layered_types, posenc__multimodal_types, posenc__other_types};

static const char *const components[] = {"text",   "encoder", "decoder",
                                         "vision", "audio",   "indexer"};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof(components) / sizeof(*components); i++)
        if (posenc__find_model_type(name, components[i]))
            return true;
    return false;
}

Test(model_types, name_each_type_once_per_component)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
        for (const struct posenc__model_type *row = tables[i]; row->names; row++) {
            const char *name = row->names;

            for (size_t length; (length = posenc__next_word(&name)) > 0; name += length) {
                char word[64];

                cr_assert_lt(length, sizeof(word));
                memcpy(word, name, length);
                word[length] = '\0';
                cr_expect_eq(posenc__find_model_type(word, row->component), row, "%s twice", word);
            }
        }
}

Test(model_types, have_defaults_that_can_be_read)
{
    struct posenc_memory memory;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
        for (const struct posenc__model_type *row = tables[i]; row->names; row++) {
            struct posenc_value object;

            cr_expect(posenc__read_facts(row->defaults, &memory, &object));
            cr_expect(posenc__read_facts(row->constants, &memory, &object));
        }
    posenc_memory_release(&memory);
}

Test(model_types, lead_to_rows_that_exist)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
        for (const struct posenc__model_type *row = tables[i]; row->names; row++) {
            cr_expect(!row->also || is_known(row->also), "%s", row->also);
            for (const struct posenc__model_variant *variant = row->variants; variant->member;
                 variant++)
                cr_expect(is_known(variant->row), "%s", variant->row);
        }
}

Test(model_types, say_a_layout_where_something_turns)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
        for (const struct posenc__model_type *row = tables[i]; row->names; row++)
            cr_expect_eq(row->layout != NULL,
                         row->kind == POSENC__KIND_ROPE || row->kind == POSENC__KIND_GRID, "%s",
                         row->names);
}

Test(model_types, tell_the_tower_from_the_text_of_the_same_type)
{
    cr_expect_eq(posenc__find_model_type("qwen3_vl", "vision")->kind, POSENC__KIND_GRID);
    cr_expect_eq(posenc__find_model_type("qwen3_vl", "text")->kind, POSENC__KIND_ROPE);
    cr_expect_null(posenc__find_model_type("llama", "vision"));
}

Test(model_types, are_found_by_the_architecture_that_is_named_after_them)
{
    cr_expect_eq(posenc__find_architecture("Qwen3MoeForCausalLM", "text"),
                 posenc__find_model_type("qwen3_moe", "text"));
    cr_expect_eq(posenc__find_architecture("GPT2LMHeadModel", "text"),
                 posenc__find_model_type("gpt2", "text"));
    cr_expect_null(posenc__find_architecture("Qwen3MoeThing", "text"));
}

Test(model_types, are_suggested_for_typing_slips)
{
    char text[64];

    cr_assert(posenc__suggest_model_type("lama", text, sizeof(text)));
    cr_expect_str_eq(text, "llama");
    cr_expect_not(posenc__suggest_model_type("nothing-like-any-of-them", text, sizeof(text)));
}
