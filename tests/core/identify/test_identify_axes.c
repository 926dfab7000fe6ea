/* Which parameters the lengths of a tensor's axes tell. */
#include "identify_question.h"

static const double numbers[24] = {1, 2, 3, 4};

/* The parameters of the axes, "heads query_length key_length"; "-" for one that tells none. */
static void expect_axes(const struct posenc__context *context, const char *expected)
{
    char names[100] = "";

    for (size_t axis = 0; axis < context->axis_count; axis++) {
        if (axis > 0)
            strcat(names, " ");
        strcat(names, context->axes[axis] ? context->axes[axis]->name : "-");
    }
    cr_expect_str_eq(names, expected, "%s of %s: '%s', not '%s'", context->part->name,
                     context->encoding->name, names, expected);
}

static void expect_part_axes(const char *encoding, const char *part, struct posenc_value actual,
                             const char *expected)
{
    struct asked_question asked;

    init_question(&asked, .actual = actual, .encoding = encoding, .part = part);
    cr_assert_eq(asked.status, POSENC_OK, "%s", asked.problem.detail);
    cr_assert_eq(asked.question->context_count, 1);
    expect_axes(&asked.question->contexts[0], expected);
    posenc_memory_release(&asked.memory);
}

Test(identify_axes, words_that_are_parameters_tell_these)
{
    expect_part_axes("alibi", "bias", SHAPED(numbers, 2, 3, 4), "heads query_length key_length");
    expect_part_axes("alibi", "slopes", SHAPED(numbers, 4), "heads");
    expect_part_axes("sinusoidal", "encoding", SHAPED(numbers, 3, 4), "length dim");
    expect_part_axes("timestep", "encoding", SHAPED(numbers, 3, 4), "timesteps dim");
}

Test(identify_axes, the_last_axis_makes_dim_whatever_it_counts)
{
    expect_part_axes("rope", "cos", SHAPED(numbers, 3, 4), "length dim");
    expect_part_axes("rope", "inv_freq", SHAPED(numbers, 4), "dim");
}

Test(identify_axes, of_several_shapes_the_one_of_the_tensors_rank_counts)
{
    expect_part_axes("t5", "bucket", SHAPED(numbers, 3, 4), "query_length key_length");
    expect_part_axes("t5", "bucket", SHAPED(numbers, 4), "relative_positions");
    expect_part_axes("t5", "bias", SHAPED(numbers, 2, 3, 4), "heads query_length key_length");
    expect_part_axes("t5", "bias", SHAPED(numbers, 2, 4), "heads relative_positions");
}

Test(identify_axes, what_is_applied_tells_none)
{
    struct asked_question asked;

    init_question(&asked, .actual = SHAPED(numbers, 3, 4), .x = SHAPED(numbers, 3, 4),
                  .encoding = "rope");
    cr_assert_eq(asked.question->context_count, 1);
    expect_axes(&asked.question->contexts[0], "");
    posenc_memory_release(&asked.memory);
}
