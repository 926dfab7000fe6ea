/* Watches: work that is stopped at any question, memory that is refused at any growth. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

#define LENGTH 40
#define WIDTH  64

/* Says no from one question on, and keeps account. */
struct doubter {
    size_t works, work_limit; /* questions whether to work, and how many get a yes */
    size_t takes, take_limit;
    size_t held; /* bytes */
    uint64_t longest_ns;
};

static bool doubter_may_work(void *context, uint64_t nanoseconds)
{
    struct doubter *doubter = context;

    if (nanoseconds > doubter->longest_ns)
        doubter->longest_ns = nanoseconds;
    return doubter->works++ < doubter->work_limit;
}

static bool doubter_may_take(void *context, size_t bytes)
{
    struct doubter *doubter = context;

    if (doubter->takes++ >= doubter->take_limit)
        return false;
    doubter->held += bytes;
    return true;
}

static void doubter_give_back(void *context, size_t bytes)
{
    struct doubter *doubter = context;

    cr_assert_geq(doubter->held, bytes);
    doubter->held -= bytes;
}

/* Attention under deberta, which asks its own apply for the scores. */
static enum posenc_status attend(struct doubter *doubter, size_t length,
                                 struct posenc_result *result)
{
    static double numbers[LENGTH * WIDTH];
    const struct posenc_watch watch = {doubter_may_work, doubter_may_take, doubter_give_back,
                                       doubter};
    const struct posenc_array tokens = {
        .dtype = POSENC_FLOAT64, .rank = 2, .shape = {length, WIDTH}, .data = numbers};
    const struct posenc_member members[] = {{"encoding", posenc_text("deberta")},
                                            {"q", posenc_nested(&tokens)},
                                            {"k", posenc_nested(&tokens)},
                                            {"causal", posenc_boolean(false)}};
    const struct posenc_operation *attention = posenc_find_tool("attention");
    const struct posenc_schema schema = {.groups = attention->groups, .takes_tensors = true};
    const struct posenc_value input = posenc_object(members, 4);
    struct posenc_memory memory;
    struct posenc_arguments arguments;
    struct posenc_problem problem;
    enum posenc_status status;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    memory.watch = &watch;
    status = posenc_bind(&schema, &input, &memory, &arguments, &problem);
    if (status == POSENC_OK)
        status = posenc_plan(NULL, attention, &arguments, &memory, result, &problem);
    if (status != POSENC_OK)
        cr_expect_eq(problem.status, status);
    posenc_memory_release(&memory);
    cr_expect_eq(doubter->held, 0, "%zu bytes were not given back", doubter->held);
    return status;
}

Test(watch, stops_work_at_any_question_and_leaves_the_result_alone)
{
    struct doubter willing = {.work_limit = SIZE_MAX, .take_limit = SIZE_MAX};
    struct posenc_result result = {.tensor_count = 77};

    cr_assert_eq(attend(&willing, LENGTH, &result), POSENC_OK);
    cr_assert_gt(willing.works, 3);
    for (size_t limit = 0; limit < willing.works; limit++) {
        struct doubter doubter = {.work_limit = limit, .take_limit = SIZE_MAX};

        result.tensor_count = 77;
        cr_expect_eq(attend(&doubter, LENGTH, &result), POSENC_CANCELLED, "question %zu", limit);
        cr_expect_eq(result.tensor_count, 77);
    }
}

Test(watch, refuses_memory_at_any_growth)
{
    struct doubter willing = {.work_limit = SIZE_MAX, .take_limit = SIZE_MAX};
    struct posenc_result result;

    cr_assert_eq(attend(&willing, LENGTH, &result), POSENC_OK);
    for (size_t limit = 0; limit < willing.takes; limit++) {
        struct doubter doubter = {.work_limit = SIZE_MAX, .take_limit = limit};

        cr_expect_eq(attend(&doubter, LENGTH, &result), POSENC_NO_MEMORY, "growth %zu", limit);
    }
}

Test(watch, hears_before_the_work_how_long_it_will_take)
{
    struct doubter small = {.take_limit = SIZE_MAX}, large = {.take_limit = SIZE_MAX};
    struct posenc_result result;

    cr_assert_eq(attend(&small, 1, &result), POSENC_CANCELLED);
    cr_assert_eq(attend(&large, LENGTH, &result), POSENC_CANCELLED);
    cr_expect_eq(small.works, 1, "no is an answer");
    cr_expect_gt(large.longest_ns, LENGTH * LENGTH / 4 * small.longest_ns,
                 "%d times the scores, but %ju ns after %ju ns", LENGTH * LENGTH,
                 (uintmax_t)large.longest_ns, (uintmax_t)small.longest_ns);
}

Test(watch, tells_what_filling_takes_and_saturates)
{
    struct posenc_tensor tensor = {0};

    cr_expect_eq(posenc_fill_ns(&tensor, 1000), 1000 * POSENC_ELEMENT_NS);
    tensor.element_ns = 1000;
    cr_expect_eq(posenc_fill_ns(&tensor, 7), 7000);
    tensor.element_ns = UINT64_MAX / 2;
    cr_expect_eq(posenc_fill_ns(&tensor, 3), UINT64_MAX);
}

#define N(name, x)                                                                                 \
    {                                                                                              \
        (name),                                                                                    \
        {                                                                                          \
            .kind = POSENC_NUMBER, .as.number = (x)                                                \
        }                                                                                          \
    }
#define T(name, x)                                                                                 \
    {                                                                                              \
        (name),                                                                                    \
        {                                                                                          \
            .kind = POSENC_TEXT, .as.text = (x)                                                    \
        }                                                                                          \
    }
#define L(name, x, y)                                                                              \
    {                                                                                              \
        (name),                                                                                    \
        {                                                                                          \
            .kind = POSENC_ARRAY, .as.array = {                                                    \
                .dtype = POSENC_FLOAT64,                                                           \
                .rank = 1,                                                                         \
                .shape = {2},                                                                      \
                .data = (const double[]){(x), (y)}                                                 \
            }                                                                                      \
        }                                                                                          \
    }

/* Tables whose planning computes. */
struct planned {
    const char *encoding;
    struct posenc_member members[6]; /* up to the first without a name */
};

static const struct planned long_plans[] = {
    {"sandwich", {N("heads", 2), N("query_length", 3000)}},
    {"sandwich", {N("heads", 2), N("query_length", 200), N("dim", 131072), T("dtype", "float16")}},
    {"kerple", {T("kind", "power"), L("p", 1, 0.5), L("a", 1, 2), N("query_length", 2000)}},
    {"fire", {N("c", 0.1), N("threshold", 4), N("query_length", 30000)}},
    {"rope", {N("dim", 8192), N("length", 1)}},
    {"sinusoidal", {N("dim", 8192), N("length", 1)}},
    {"sinusoidal_grid", {N("dim", 16384), L("grid", 1, 1), T("axis_order", "xy")}},
    {"timestep", {N("dim", 8192), L("timesteps", 1, 2), T("preset", "ddpm")}},
    {"transformer_xl", {N("dim", 8192), N("length", 1), T("variant", "transformer_xl")}},
};

static enum posenc_status plan_table(struct doubter *doubter, const struct planned *planned,
                                     struct posenc_result *result)
{
    const struct posenc_watch watch = {doubter_may_work, doubter_may_take, doubter_give_back,
                                       doubter};
    struct posenc_memory memory;
    struct posenc_problem problem;
    size_t count = 0;

    while (count < sizeof(planned->members) / sizeof(*planned->members) &&
           planned->members[count].name)
        count++;
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    memory.watch = &watch;
    const enum posenc_status status =
        posenc_make(planned->encoding, "table", posenc_object(planned->members, count), &memory,
                    result, &problem);

    posenc_memory_release(&memory);
    cr_expect_eq(doubter->held, 0, "%zu bytes were not given back", doubter->held);
    return status;
}

Test(watch, is_asked_by_every_plan_that_computes)
{
    for (size_t i = 0; i < sizeof(long_plans) / sizeof(*long_plans); i++) {
        struct doubter willing = {.work_limit = SIZE_MAX, .take_limit = SIZE_MAX};
        struct posenc_result result;

        cr_assert_eq(plan_table(&willing, &long_plans[i], &result), POSENC_OK, "%s",
                     long_plans[i].encoding);
        cr_expect_gt(willing.works, 0, "%s, plan %zu", long_plans[i].encoding, i);
        for (size_t limit = 0; limit < willing.works; limit++) {
            struct doubter doubter = {.work_limit = limit, .take_limit = SIZE_MAX};

            result.tensor_count = 77;
            cr_expect_eq(plan_table(&doubter, &long_plans[i], &result), POSENC_CANCELLED,
                         "%s, question %zu", long_plans[i].encoding, limit);
            cr_expect_eq(result.tensor_count, 77);
        }
    }
}

/* Each question costs a look at the clock. */
Test(watch, is_not_asked_by_what_takes_less_than_a_question_is_worth)
{
    static const struct planned plans[] = {
        {"rope", {N("dim", 128), N("length", 4096)}},
        {"sinusoidal", {N("dim", 1024), N("length", 4096)}},
        {"alibi", {N("heads", 16), N("query_length", 512)}},
        {"sandwich", {N("heads", 8), N("query_length", 128)}},
    };

    for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++) {
        struct doubter doubter = {.work_limit = 0, .take_limit = SIZE_MAX};
        struct posenc_result result;

        cr_expect_eq(plan_table(&doubter, &plans[i], &result), POSENC_OK, "%s", plans[i].encoding);
        cr_expect_eq(doubter.works, 0, "%s", plans[i].encoding);
    }
}
