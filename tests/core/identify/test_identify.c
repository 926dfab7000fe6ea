/* The tool: verdicts about tensors that are right, that are not, and that nothing can be said of.
 */
#include <stdio.h>

#include "asking_identify.h"

Test(identify, a_right_tensor_is_right_rounded_once_to_its_type)
{
    static const char *const types[] = {"float64", "float32", "float16", "bfloat16"};
    char words[64];

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        struct asked made, asked;

        ask(&made, "rope", "table", NUMBER("length", 9), NUMBER("dim", 12), NUMBER("base", 523.7),
            TEXT("dtype", types[i]));
        ask(&asked, NULL, "identify", {"actual", tensor_of(&made, "cos")}, TEXT("encoding", "rope"),
            PARAMETERS(NUMBER("base", 523.7)));
        (void)snprintf(words, sizeof(words), "rounded once to %s", types[i]);
        expect_verdict(&asked, "right");
        cr_expect_not_null(strstr(asked_text(&asked, "statement"), words), "%s",
                           asked_text(&asked, "statement"));
        posenc_memory_release(&asked.memory);
        posenc_memory_release(&made.memory);
    }
}

Test(identify, a_tensor_that_went_through_a_small_type_is_told_so)
{
    struct asked made, asked;
    struct posenc_value small, wide;
    double numbers[9 * 12];

    ask(&made, "sinusoidal", "table", NUMBER("length", 9), NUMBER("dim", 12),
        TEXT("dtype", "bfloat16"));
    small = tensor_of(&made, "encoding");
    posenc_widen(POSENC_BFLOAT16, small.as.array.data, 9 * 12, numbers);
    wide = asking_rows(9, 12, numbers);
    ask(&asked, NULL, "identify", {"actual", wide}, TEXT("encoding", "sinusoidal"),
        PARAMETERS(NUMBER("dim", 12)));
    expect_verdict(&asked, "right");
    cr_expect_not_null(strstr(asked_text(&asked, "statement"), "rounded once to bfloat16"));
    posenc_memory_release(&asked.memory);
    posenc_memory_release(&made.memory);
}

Test(identify, nothing_is_said_of_zeros_constants_and_nan)
{
    const double nan = NAN;
    struct asked asked;

    ask(&asked, NULL, "identify", {"actual", ROWS(2, 2, 0, 0, 0, 0)});
    expect_verdict(&asked, "not_comparable");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "identify", {"actual", ROWS(2, 2, 1, 1, 1, 1)});
    expect_verdict(&asked, "not_comparable");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "identify", {"actual", asking_rows(2, 1, (const double[]){nan, nan})},
        TEXT("encoding", "rope"), PARAMETERS(NUMBER("dim", 2)));
    expect_verdict(&asked, "not_comparable");
    posenc_memory_release(&asked.memory);
}

Test(identify, a_tensor_of_another_rank_is_never_named)
{
    struct asked asked;

    ask(&asked, NULL, "identify", {"actual", LIST(0.25, -3, 7.5, 2)}, TEXT("encoding", "rope"),
        TEXT("part", "cos"), PARAMETERS(NUMBER("dim", 8)));
    expect_verdict(&asked, "not_comparable");
    posenc_memory_release(&asked.memory);
}

Test(identify, noise_is_unexplained)
{
    uint64_t state = 12345;
    double noise[8 * 16];
    struct asked asked;

    for (size_t i = 0; i < 8 * 16; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        noise[i] = (double)(state >> 11) / 0x1p53;
    }
    ask(&asked, NULL, "identify", {"actual", asking_rows(8, 16, noise)});
    expect_verdict(&asked, "unexplained");
    posenc_memory_release(&asked.memory);
}

Test(identify, digits_as_people_print_them_are_enough)
{
    /* sin(p) cos(p) sin(p / 100) cos(p / 100) for p = 0, 1, 2. */
    struct asked asked;

    ask(&asked, NULL, "identify",
        {"actual",
         ROWS(3, 4, 0, 1, 0, 1, 0.8415, 0.5403, 0.0100, 1.0000, 0.9093, -0.4161, 0.0200, 0.9998)});
    expect_verdict(&asked, "identified");
    cr_expect_not_null(strstr(asked_text(&asked, "statement"), "'encoding' of 'sinusoidal'"));
    cr_expect_not_null(strstr(asked_text(&asked, "statement"), "4 decimals"));
    posenc_memory_release(&asked.memory);
}

Test(identify, a_forgotten_base_is_found)
{
    struct asked made, asked;

    ask(&made, "rope", "table", NUMBER("length", 5), NUMBER("offset", 1024), NUMBER("dim", 128));
    ask(&asked, NULL, "identify", {"actual", tensor_of(&made, "cos")}, TEXT("encoding", "rope"),
        PARAMETERS(NUMBER("offset", 1024), NUMBER("dim", 128), NUMBER("base", 500000)));
    expect_verdict(&asked, "mistaken");
    cr_expect_str_eq(changed_parameter(&asked, 0), "base");
    cr_expect_str_eq(changed_parameter(&asked, 1), "");
    posenc_memory_release(&asked.memory);
    posenc_memory_release(&made.memory);
}

Test(identify, the_difference_is_told_by_row)
{
    struct asked made, asked;

    ask(&made, "sinusoidal", "table", NUMBER("length", 3), NUMBER("dim", 2));
    ask(&asked, NULL, "identify", {"actual", ROWS(3, 2, 0, 1, 0.8414709848078965, 0.5, 1, 0)},
        TEXT("encoding", "sinusoidal"), PARAMETERS(NUMBER("dim", 2)), TEXT("dtype", "float64"));
    EXPECT_VALUES(&asked, "row_difference", 1e-15, 0, 0.0403023058681397174, 0.4161468365471423870);
    posenc_memory_release(&asked.memory);
    posenc_memory_release(&made.memory);
}

Test(identify, wrong_parameters_are_refused_where_they_stand)
{
    struct asked asked;

    ask(&asked, NULL, "identify", {"actual", ROWS(1, 2, 1, 2)}, TEXT("encoding", "rope"),
        PARAMETERS(NUMBER("basee", 3)));
    expect_refusal(&asked, POSENC_UNKNOWN_PARAMETER, "parameters.basee");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "identify", {"actual", ROWS(1, 2, 1, 2)}, TEXT("encoding", "rop"));
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "encoding");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "identify", {"actual", ROWS(1, 2, 1, 2)}, TEXT("encoding", "rope"),
        TEXT("part", "cosine"));
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "part");
    posenc_memory_release(&asked.memory);
}

/* What the axes tell may contradict what was given, and is then another tensor's, or mended. */
Test(identify, what_the_tensor_tells_is_no_mistake_of_the_request)
{
    struct asked asked;

    ask(&asked, NULL, "identify", {"actual", ROWS(1, 4, 0, 17, 18, 19)}, TEXT("encoding", "t5"),
        PARAMETERS(NUMBER("query_offset", 0), {"bidirectional", posenc_boolean(true)}));
    expect_verdict(&asked, "right");
    posenc_memory_release(&asked.memory);
    /* sin 1, cos 1 and sin of 10000^(-2 / 3), which an odd width needs a rule for. */
    ask(&asked, NULL, "identify", {"actual", ROWS(1, 3, 0.8414709848, 0.5403023059, 0.0021544330)},
        TEXT("encoding", "sinusoidal"), PARAMETERS(NUMBER("offset", 1)));
    expect_verdict(&asked, "mistaken");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "identify", {"actual", ROWS(1, 2, 1, 2)}, TEXT("encoding", "rope"),
        PARAMETERS(NUMBER("theta", -3)));
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "parameters.base");
    posenc_memory_release(&asked.memory);
    ask(&asked, NULL, "identify", {"actual", ROWS(1, 3, 1, 2, 3)}, TEXT("encoding", "sinusoidal"),
        PARAMETERS(NUMBER("dim", 3)));
    expect_refusal(&asked, POSENC_OUT_OF_RANGE, "parameters.dim");
    posenc_memory_release(&asked.memory);
}
