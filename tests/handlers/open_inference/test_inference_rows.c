#include "inference_rows.h"

#include <criterion/criterion.h>
#include <string.h>

static struct inference_model model_of(const char *name)
{
    struct inference_model model;

    cr_assert(inference_model_find(name, &model), "%s", name);
    return model;
}

Test(inference_rows, are_found_by_name_and_alias)
{
    const struct inference_model model = model_of("sinusoidal");

    cr_expect_str_eq(inference_row_find(&model, "dim")->name, "dim");
    cr_expect_str_eq(inference_row_find(&model, "d_model")->name, "dim");
    cr_expect_null(inference_row_find(&model, "dam"));
}

Test(inference_rows, tell_what_a_tensor_can_bring)
{
    const struct inference_model model = model_of("rope.apply");
    static const struct {
        const char *name, *datatype;
        bool is_single, is_optional;
    } rows[] = {
        {"x", "FP32", false, true},     {"positions", "FP64", false, true},
        {"offset", "FP64", true, true}, {"inverse", "BOOL", true, true},
        {"dim", "INT64", true, true},   {"mrope_section", "INT64", false, true},
        {"layout", NULL, false, false}, {"scaling", NULL, false, true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct posenc_parameter *const row = inference_row_find(&model, rows[i].name);
        const char *const datatype = inference_row_datatype(row);

        cr_expect_eq(inference_row_is_input(row), rows[i].datatype != NULL, "%s", rows[i].name);
        cr_expect_str_eq(datatype ? datatype : "", rows[i].datatype ? rows[i].datatype : "");
        cr_expect_eq(inference_row_is_single(row), rows[i].is_single, "%s", rows[i].name);
        cr_expect_eq(inference_row_is_optional(&model, row), rows[i].is_optional, "%s",
                     rows[i].name);
    }
}

Test(inference_rows, describe_shapes_in_words)
{
    static const struct {
        const char *words;
        size_t rank;
        int64_t shape[4];
    } rows[] = {
        {"[length, dim]", 2, {-1, -1}},
        {"[..., heads, query, key]", 4, {-1, -1, -1, -1}},
        {"[2h - 1, 2w - 1, 2]", 3, {-1, -1, 2}},
        {"[batch, 1]", 2, {-1, 1}},
        {"[pairs]; with axes_rule those of one axis", 1, {-1}},
        {"as x", 1, {-1}},
        {"", 1, {-1}},
        {"a tensor [..., length, dim] to rotate", 3, {-1, -1, -1}},
        {"[", 1, {-1}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t shape[POSENC_RANK_MAX];

        cr_expect_eq(inference_shape_of(rows[i].words, shape), rows[i].rank, "%s", rows[i].words);
        for (size_t axis = 0; axis < rows[i].rank; axis++)
            cr_expect_eq(shape[axis], rows[i].shape[axis], "%s", rows[i].words);
    }
}

Test(inference_rows, have_a_shape_for_every_input)
{
    const struct inference_model model = model_of("alibi.apply");
    int64_t shape[POSENC_RANK_MAX];

    cr_expect_eq(inference_row_shape(&model, inference_row_find(&model, "scores"), shape), 4);
    cr_expect_eq(inference_row_shape(&model, inference_row_find(&model, "slopes"), shape), 1);
    cr_expect_eq(shape[0], -1);
    cr_expect_eq(inference_row_shape(&model, inference_row_find(&model, "bias_max"), shape), 1);
    cr_expect_eq(shape[0], 1);
}
