/* Hostile requests of other tables through a running server: the same statuses, and no harm. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack.h"
#include "hostile.h"

#define HEAD_ROOM 4096

/* The request of a row as bytes: free() them. */
static char *request_bytes(const struct hostile *one, size_t *size)
{
    const char *const body = one->body ? one->body : "";
    const size_t room = HEAD_ROOM + strlen(one->target) + strlen(body);
    char *const bytes = malloc(room);
    int length;

    cr_assert(bytes);
    if (one->body)
        length = snprintf(bytes, room,
                          "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          one->target, strlen(body), body);
    else
        length = snprintf(bytes, room, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", one->target);
    *size = (size_t)length;
    return bytes;
}

/* "200 keep", or the status and a problem's type; none of these ends the connection. */
static void expect_outcome(const struct hostile *one, const char *outcome)
{
    char begin[16];
    const char *const end = outcome + strlen(outcome) - strlen(" keep");

    if (strstr(one->target, "%00")) { /* H23: such a target reaches no handler */
        cr_expect_str_eq(outcome, "400 malformed-target");
        return;
    }
    (void)snprintf(begin, sizeof(begin), one->status == 200 ? "%u keep" : "%u ", one->status);
    cr_expect(strncmp(outcome, begin, strlen(begin)) == 0 && strcmp(end, " keep") == 0 &&
                  !strchr(outcome, ','),
              "%s %s %s: \"%s\"", one->row, one->target, one->body ? one->body : "", outcome);
    if (one->status != 200) /* a word between the status and "keep" is the type */
        cr_expect(end > outcome + 4 && !strstr(outcome, "html"), "%s %s: \"%s\"", one->row,
                  one->target, outcome);
}

static void run_table(const struct hostile_table *table)
{
    struct attacked attacked = attack_start(NULL);

    for (size_t i = 0; i < table->count; i++) {
        char outcome[ATTACK_OUTCOME_MAX];
        size_t size;
        char *const bytes = request_bytes(&table->rows[i], &size);

        attack_send(&attacked, table->rows[i].row, bytes, size, NULL, outcome);
        expect_outcome(&table->rows[i], outcome);
        free(bytes);
    }
    attack_stop(&attacked);
}

Test(attack_rows, bad_json_does_no_harm)
{
    run_table(&hostile_json);
}

Test(attack_rows, requests_without_meaning_do_no_harm)
{
    run_table(&hostile_sizes);
    run_table(&hostile_angles);
    run_table(&hostile_scalings);
    run_table(&hostile_others);
}
