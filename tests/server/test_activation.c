#include <criterion/criterion.h>
#include <string.h>

#include "activation.h"

#define PID 1234

static const char *pid_text, *fds_text, *names_text;

static const char *look_up(const char *name)
{
    if (strcmp(name, "LISTEN_PID") == 0)
        return pid_text;
    if (strcmp(name, "LISTEN_FDS") == 0)
        return fds_text;
    return strcmp(name, "LISTEN_FDNAMES") == 0 ? names_text : NULL;
}

Test(activation, counts_sockets_that_were_handed_to_this_process)
{
    static const struct {
        const char *pid, *fds;
        size_t count;
    } rows[] = {
        {"1234", "1", 1},  {"1234", "12", 12}, {NULL, NULL, 0},   {"1234", NULL, 0},
        {NULL, "1", 0},    {"1235", "1", 0},   {"1234", "0", 0},  {"1234", "-1", 0},
        {"1234", "", 0},   {"1234", "1 ", 0},  {"1234x", "1", 0}, {"1234", "9999999999", 0},
        {"01234", "1", 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        pid_text = rows[i].pid;
        fds_text = rows[i].fds;
        cr_expect_eq(activation_count(look_up, PID), rows[i].count, "row %zu", i);
    }
}

Test(activation, tells_operators_sockets_by_their_name)
{
    static const struct {
        const char *names;
        bool is_admin[3];
    } rows[] = {
        {NULL, {false, false, false}},     {"", {false, false, false}},
        {"admin", {true, false, false}},   {"http:admin:other", {false, true, false}},
        {"::admin", {false, false, true}}, {"administrator:adm:Admin", {false, false, false}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        names_text = rows[i].names;
        for (size_t index = 0; index < 3; index++)
            cr_expect_eq(activation_is_admin(look_up, index), rows[i].is_admin[index],
                         "row %zu, %zu", i, index);
    }
}
