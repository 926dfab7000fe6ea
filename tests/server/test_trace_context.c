#include <criterion/criterion.h>
#include <string.h>

#include "trace_context.h"

#define TRACE  "0af7651916cd43dd8448eb211c80319c"
#define PARENT "b7ad6b7169203331"
#define GOOD   "00-" TRACE "-" PARENT "-01"

static void read_headers(const struct header *headers, size_t count, struct trace_context *context)
{
    const struct request request = {.headers = headers, .header_count = count};
    struct request_id_pool pool = {.left = 0};

    trace_context_read(&request, &pool, context);
}

static bool is_taken(const char *value)
{
    const struct header header = {"traceparent", value};
    struct trace_context context;

    read_headers(&header, 1, &context);
    return *context.trace_id != '\0';
}

Test(trace_context, takes_over_the_trace_and_gives_it_a_span_of_its_own)
{
    const struct header headers[] = {
        {"Host", "a"}, {"TraceParent", GOOD}, {"tracestate", "congo=t61rcWkgMzE,rojo=00f067"}};
    struct trace_context first, second;

    read_headers(headers, 3, &first);
    read_headers(headers, 3, &second);
    cr_expect_str_eq(first.trace_id, TRACE);
    cr_expect_str_eq(first.parent_id, PARENT);
    cr_expect_str_eq(first.flags, "01");
    cr_expect_str_eq(first.state, "congo=t61rcWkgMzE,rojo=00f067");
    cr_expect_eq(strspn(first.span_id, "0123456789abcdef"), 16);
    cr_expect_eq(strlen(first.span_id), 16);
    cr_expect_str_neq(first.span_id, PARENT);
    cr_expect_str_neq(first.span_id, second.span_id);
}

/* Examples of the recommendation, and their neighbours. */
Test(trace_context, takes_only_what_the_standard_allows)
{
    static const struct {
        const char *value;
        bool is_good;
    } rows[] = {
        {GOOD, true},
        {"00-" TRACE "-" PARENT "-00", true},
        {"00-" TRACE "-" PARENT "-ff", true},
        {"cc-" TRACE "-" PARENT "-01", true},
        {"cc-" TRACE "-" PARENT "-01-what-the-future-will-be-like", true},
        {"cc-" TRACE "-" PARENT "-01.what", false},
        {"cc-" TRACE "-" PARENT "-01-", true},
        {GOOD "-", false},
        {GOOD "0", false},
        {"ff-" TRACE "-" PARENT "-01", false},
        {"0-" TRACE "-" PARENT "-01", false},
        {".0-" TRACE "-" PARENT "-01", false},
        {"00-00000000000000000000000000000000-" PARENT "-01", false},
        {"00-" TRACE "-0000000000000000-01", false},
        {"00-" TRACE "-" PARENT "-0", false},
        {"00-" TRACE "-" PARENT "-0.", false},
        {"00-" TRACE "-" PARENT, false},
        {"00-0AF7651916cd43dd8448eb211c80319c-" PARENT "-01", false},
        {"00-" TRACE "-B7ad6b7169203331-01", false},
        {"00-0af7651916cd43dd8448eb211c80319-" PARENT "-01", false},
        {"00-" TRACE "_" PARENT "-01", false},
        {"00-" TRACE "-" PARENT "_01", false},
        {" " GOOD, false},
        {"", false},
        {"-", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(is_taken(rows[i].value), rows[i].is_good, "%s", rows[i].value);
}

Test(trace_context, takes_nothing_of_two_and_no_state_without_a_parent)
{
    const struct header twice[] = {{"traceparent", GOOD}, {"traceparent", GOOD}};
    const struct header alone[] = {{"tracestate", "a=b"}};
    const struct header bad[] = {{"traceparent", "00"}, {"tracestate", "a=b"}};
    struct trace_context context;

    read_headers(twice, 2, &context);
    cr_expect_str_empty(context.trace_id);
    read_headers(alone, 1, &context);
    cr_expect_null(context.state);
    read_headers(bad, 2, &context);
    cr_expect_null(context.state);
    cr_expect_str_empty(context.span_id);
}

Test(trace_context, leaves_out_a_state_that_is_longer_than_any_may_be)
{
    char state[TRACE_STATE_MAX + 2];
    const struct header headers[] = {{"traceparent", GOOD}, {"tracestate", state}};
    struct trace_context context;

    memset(state, 'x', sizeof(state) - 1);
    state[TRACE_STATE_MAX + 1] = '\0';
    read_headers(headers, 2, &context);
    cr_expect_str_eq(context.trace_id, TRACE);
    cr_expect_null(context.state);
    state[TRACE_STATE_MAX] = '\0';
    read_headers(headers, 2, &context);
    cr_expect_not_null(context.state);
}
