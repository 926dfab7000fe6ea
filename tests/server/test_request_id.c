#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "request_id.h"

Test(request_id, takes_over_harmless_text_only)
{
    static const char *const good[] = {"a", "0", "-", "A.b_c-9",
                                       "550e8400-e29b-41d4-a716-446655440000"};
    static const char *const bad[] = {"", " ", "a b", "a\n", "a\"", "a/b", "\xc3\xa9", "a;b", "a="};
    char longest[REQUEST_ID_MAX + 1];

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect(request_id_is_usable(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_not(request_id_is_usable(bad[i]), "%s", bad[i]);
    memset(longest, 'a', sizeof(longest));
    longest[REQUEST_ID_MAX] = '\0'; /* 129 bytes and the end */
    cr_expect_not(request_id_is_usable(longest));
    cr_expect(request_id_is_usable(longest + 1), "128 bytes fit");
}

Test(request_id, makes_usable_uuids_of_version_7)
{
    static struct request_id_pool pool;
    char id[REQUEST_ID_MAX];
    unsigned long long ms;
    const time_t now = time(NULL);

    request_id_make(&pool, id);
    cr_expect_eq(strlen(id), 36);
    cr_expect(request_id_is_usable(id));
    cr_expect_eq(id[14], '7', "version: %s", id);
    cr_expect(strchr("89ab", id[19]), "variant: %s", id);
    for (size_t i = 8; i <= 23; i += 5)
        cr_expect_eq(id[i], '-', "%s", id);
    id[8] = id[9], id[9] = id[10], id[10] = id[11], id[11] = id[12], id[12] = '\0';
    cr_assert_eq(sscanf(id, "%llx", &ms), 1);
    cr_expect_leq(ms / 1000, (unsigned long long)now + 2);
    cr_expect_geq(ms / 1000, (unsigned long long)now - 2);
}

#define MANY 1000 /* several times what the pool holds at once */

Test(request_id, repeats_none)
{
    static struct request_id_pool pool;
    static char ids[MANY][REQUEST_ID_MAX];

    for (size_t i = 0; i < MANY; i++) {
        request_id_make(&pool, ids[i]);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(ids[i], ids[j]);
    }
}

Test(request_id, makes_spans_that_differ_and_are_never_zero)
{
    struct request_id_pool pool = {.left = 0};
    char first[REQUEST_ID_SPAN_MAX], second[REQUEST_ID_SPAN_MAX];

    request_id_make_span(&pool, first);
    request_id_make_span(&pool, second);
    cr_expect_eq(strspn(first, "0123456789abcdef"), REQUEST_ID_SPAN_MAX - 1);
    cr_expect_str_neq(first, second);
    memset(&pool, 0, sizeof(pool)); /* a pool that gives only zeros */
    pool.left = sizeof(pool.bytes);
    request_id_make_span(&pool, first);
    cr_expect_str_eq(first, "0100000000000000");
}
