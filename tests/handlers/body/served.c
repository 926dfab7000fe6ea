#include "served.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <malloc.h>
#include <string.h>

#include "ask.h"

#define KEPT_BYTES_MAX ((size_t)1 << 20)

/* Of this process; 0 bytes under a sanitizer, which looks for leaks itself. */
struct footprint {
    size_t bytes, fds;
};

static struct footprint footprint_of_process(void)
{
    const struct mallinfo2 about = mallinfo2();
    struct footprint footprint = {about.uordblks + about.hblkhd, 0};
    DIR *const folder = opendir("/proc/self/fd");

    cr_assert(folder);
    while (readdir(folder))
        footprint.fds++;
    (void)closedir(folder);
    return footprint;
}

static void expect_refused_alike(const struct answer *answer, const struct body_problem *problem)
{
    const char *const detail = answer_text(answer, "detail");

    cr_expect_eq(answer->status, 400, "%s: %s", problem->detail, answer->body);
    cr_expect_str_eq(answer->content_type, "application/problem+json");
    cr_expect_str_eq(answer_text(answer, "type"), "urn:posenc:problem:malformed-body");
    cr_expect_eq((size_t)json_integer_value(json_object_get(answer->document, "offset")),
                 problem->offset, "%s", answer->body);
    cr_expect(strcasestr(detail, problem->detail), "%s: %s", problem->detail, detail);
}

void expect_served_alike(const char *content_type, const char *bytes, size_t size, bool is_read,
                         const struct body_problem *problem)
{
    if (!is_read && problem->no_memory)
        return; /* the test has taken the reader's memory, and the service has its own */
    const struct header type = {"Content-Type", content_type};
    const struct service service = ask_service();
    const struct footprint before = footprint_of_process();
    struct answer answer =
        ask_bytes(&service, "POST", "/v1/none/apply?format=raw", bytes, size, &type, 1);
    struct footprint after;

    if (is_read)
        cr_expect(answer.status == 200 || answer.status == 422, "%s", answer.body);
    else
        expect_refused_alike(&answer, problem);
    answer_release(&answer);
    after = footprint_of_process();
    cr_expect_eq(after.fds, before.fds);
    cr_expect_leq(after.bytes, before.bytes + KEPT_BYTES_MAX, "%zu bytes are left, not %zu",
                  after.bytes, before.bytes);
}
