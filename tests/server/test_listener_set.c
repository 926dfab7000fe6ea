#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "listener_set.h"

static const char *look_up_nothing(const char *name)
{
    (void)name;
    return NULL;
}

static void add(struct address_list *list, const char *text)
{
    cr_assert(address_list_add(list, text, strlen(text)), "%s", text);
}

Test(listener_set, opens_all_addresses_of_callers_and_operators)
{
    char folder[] = "/tmp/posenc-test-set-XXXXXX", text[80], problem[LISTENER_PROBLEM_MAX] = "";
    static struct settings settings = {.unix_mode = 0600};
    static struct listener_set set;

    cr_assert(mkdtemp(folder));
    (void)snprintf(text, sizeof(text), "unix:%s/socket", folder);
    add(&settings.listen, "127.0.0.1:0");
    add(&settings.listen, text);
    cr_assert(listener_set_open(&settings, look_up_nothing, &set, problem), "%s", problem);
    cr_expect_eq(set.count, 2);
    cr_expect_not(listener_set_has_admin(&set));
    listener_set_close(&set, false);
    add(&settings.admin_listen, "127.0.0.1:0");
    cr_assert(listener_set_open(&settings, look_up_nothing, &set, problem), "%s", problem);
    cr_assert_eq(set.count, 3);
    cr_expect(listener_set_has_admin(&set));
    cr_expect(set.items[2].is_admin);
    listener_set_close(&set, false);
    cr_expect_eq(set.items[0].fd, -1);
    cr_expect_eq(set.items[1].fd, -1);
    cr_expect_geq(set.items[2].fd, 0);
    listener_set_close(&set, true);
    cr_expect_eq(rmdir(folder), 0, "the socket is still there");
}

Test(listener_set, leaves_nothing_open_when_one_cannot_be)
{
    char folder[] = "/tmp/posenc-test-set-XXXXXX", text[80], problem[LISTENER_PROBLEM_MAX] = "";
    static struct settings settings = {.unix_mode = 0600};
    static struct listener_set set;

    cr_assert(mkdtemp(folder));
    (void)snprintf(text, sizeof(text), "unix:%s/socket", folder);
    add(&settings.listen, text);
    add(&settings.admin_listen, "256.0.0.1:1");
    cr_expect_not(listener_set_open(&settings, look_up_nothing, &set, problem));
    cr_expect(strstr(problem, "256.0.0.1:1"), "%s", problem);
    cr_expect_eq(rmdir(folder), 0, "the socket is still there");
}

Test(listener_set, serves_both_families_at_one_port)
{
    char text[64], problem[LISTENER_PROBLEM_MAX] = "";
    static struct settings settings;
    static struct listener_set set;
    unsigned port;

    add(&settings.listen, "[::1]:0");
    if (!listener_set_open(&settings, look_up_nothing, &set, problem)) {
        cr_skip_test("there is no IPv6 here: %s", problem);
        return;
    }
    port = set.items[0].address.port; /* free a moment from now */
    listener_set_close(&set, false);
    settings.listen.count = 0;
    (void)snprintf(text, sizeof(text), "[::]:%u", port);
    add(&settings.listen, text);
    (void)snprintf(text, sizeof(text), "0.0.0.0:%u", port);
    add(&settings.listen, text);
    cr_expect(listener_set_open(&settings, look_up_nothing, &set, problem), "%s", problem);
    listener_set_close(&set, false);
}
