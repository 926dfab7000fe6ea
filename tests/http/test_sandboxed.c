/* That the server is confined where that is built in; all other tests here then meet it so. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "posencd.h"

/* The number behind a word of /proc/PID/status, or -1. */
static int process_status(pid_t pid, const char *word)
{
    char path[64], line[256];
    int number = -1;
    FILE *in;

    (void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    in = fopen(path, "r");
    cr_assert(in);
    while (fgets(line, sizeof(line), in))
        if (strncmp(line, word, strlen(word)) == 0 && line[strlen(word)] == ':')
            number = atoi(line + strlen(word) + 1);
    (void)fclose(in);
    return number;
}

static bool shows(const struct posencd *server, const char *line)
{
    struct client *client = client_new();
    struct client_reply reply;
    char url[128];
    bool found;

    cr_assert(client);
    (void)snprintf(url, sizeof(url), "%s/metrics", server->url);
    reply = client_ask(client, &(struct client_request){.method = "GET", .url = url});
    found = strstr(reply.body, line) != NULL;
    client_release(&reply);
    client_free(client);
    return found;
}

Test(sandboxed, says_truly_whether_the_process_is_confined)
{
    static const char *const off[] = {"--sandbox=off", NULL};
    struct posencd server = posencd_start(NULL, -1);
    const int mode = process_status(server.pid, "Seccomp"); /* 2 is a filter */
    const bool is_confined = shows(&server, "\nposenc_sandboxed 1\n");

    cr_expect_eq(is_confined, process_status(server.pid, "NoNewPrivs") == 1);
    if (is_confined)
        cr_expect_eq(mode, 2);
    else
        cr_expect(shows(&server, "\nposenc_sandboxed 0\n"));
    cr_expect_eq(posencd_stop(&server), 0);
    server = posencd_start(off, -1);
    cr_expect(shows(&server, "\nposenc_sandboxed 0\n"));
    cr_expect_eq(process_status(server.pid, "NoNewPrivs"), 0);
    cr_expect_eq(posencd_stop(&server), 0);
}

/* "on" starts exactly where "auto" confines. */
Test(sandboxed, starts_with_on_only_where_it_can)
{
    static const char *const check[] = {"--sandbox=on", "--listen", "127.0.0.1:0", NULL};
    static const char *const on[] = {"--sandbox=on", NULL};
    struct posencd server = posencd_start(NULL, -1);
    const bool is_confined = shows(&server, "\nposenc_sandboxed 1\n");
    char output[4096];

    cr_expect_eq(posencd_stop(&server), 0);
    if (!is_confined) {
        cr_expect_eq(posencd_run(check, output, sizeof(output)), 1);
        cr_expect(strstr(output, "posencd: --sandbox on: "), "%s", output);
        return;
    }
    server = posencd_start(on, -1);
    cr_expect(shows(&server, "\nposenc_sandboxed 1\n"));
    cr_expect_eq(posencd_stop(&server), 0);
}
