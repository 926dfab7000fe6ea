/* A search ends with the simplest explanation, or where it may not go on. */
#include "identify_question.h"

/* Two things are wrong, a layout and a base. */
Test(identify_search, two_changes_where_one_is_not_enough)
{
    double wrong[6 * 8];
    struct asked asked;

    for (size_t i = 0; i < 6 * 8; i++)
        wrong[i] = cos((double)(i / 8) * pow(31337, -(double)(i % 8 / 2) / 4));
    ask(&asked, NULL, "identify", {"actual", asking_rows(6, 8, wrong)}, TEXT("encoding", "rope"),
        TEXT("part", "cos"), PARAMETERS(TEXT("table_layout", "half")));
    expect_verdict(&asked, "mistaken");
    cr_expect_not_null(
        strstr(asked_text(&asked, "statement"), "'table_layout' is interleaved instead of half"));
    cr_expect_not_null(strstr(asked_text(&asked, "statement"), "'base' is 31337 instead of 10000"),
                       "%s", asked_text(&asked, "statement"));
    posenc_memory_release(&asked.memory);
}

static bool refuse_all(void *context, uint64_t nanoseconds)
{
    size_t *left = context;

    (void)nanoseconds;
    return *left > 0 && (*left)-- > 0;
}

static bool take(void *context, size_t bytes)
{
    (void)context;
    return bytes > 0;
}

static void give_back(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
}

/* Wherever work is refused, the request is cancelled, and nothing is told. */
Test(identify_search, ends_whenever_it_may_not_go_on)
{
    double noise[6 * 4];
    size_t work;

    draw_numbers(11, 6 * 4, noise);
    for (size_t allowed = 0; allowed < 200; allowed = allowed * 2 + 1) {
        struct asked_question asked;

        init_question(&asked, .actual = asking_rows(6, 4, noise), .encoding = "rope", .part = "cos",
                      .parameters = EXPECTED(NUMBER("dim", 8)));
        work = allowed;
        const struct posenc_watch watch = {
            .may_work = refuse_all, .may_take = take, .give_back = give_back, .context = &work};

        asked.memory.watch = &watch;
        cr_expect_eq(posenc__search(asked.question), POSENC_CANCELLED, "%zu", allowed);
        posenc_memory_release(&asked.memory);
    }
}
