/* --config and --check-config of the real program. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "posencd.h"

#define OUTPUT_MAX 16384
#define USAGE      2 /* exit status */

/* A file of settings; the caller unlinks it. */
static void write_config(const char *text, char path[64])
{
    int fd;

    (void)snprintf(path, 64, "build/test-config-XXXXXX");
    fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(fd);
}

Test(config, checks_without_serving_and_lets_the_stronger_source_win)
{
    char path[64], output[OUTPUT_MAX], wanted[128];
    const char *flags[] = {"--check-config", "--config", path, "--threads=5", NULL};

    write_config("{\"threads\": 3, \"head-timeout\": 4, \"body-timeout\": 5}", path);
    cr_assert_eq(setenv("POSENC_THREADS", "4", 1), 0);
    cr_assert_eq(setenv("POSENC_BODY_TIMEOUT", "6", 1), 0);
    cr_assert_eq(setenv("POSENC_PORT", "tcp://10.0.0.1:80", 1), 0);
    cr_expect_eq(posencd_run(flags, output, sizeof(output)), 0, "%s", output);
    cr_expect(strstr(output, "\nthreads            5                        flag --threads\n"),
              "%s", output);
    (void)snprintf(wanted, sizeof(wanted),
                   "\nhead-timeout       4                        file %s\n", path);
    cr_expect(strstr(output, wanted), "%s", output);
    cr_expect(strstr(output, "\nbody-timeout       6                        "
                             "environment POSENC_BODY_TIMEOUT\n"));
    (void)unlink(path);
}

Test(config, ends_with_2_and_says_where_the_fault_is)
{
    char path[64], output[OUTPUT_MAX], wanted[128];
    const char *by_flag[] = {"--config", path, NULL}, *by_variable[] = {"--check-config", NULL};

    write_config("{\n  \"max-conections\": 3\n}", path);
    (void)snprintf(wanted, sizeof(wanted), "posencd: %s:2:3: \"max-conections\": ", path);
    cr_expect_eq(posencd_run(by_flag, output, sizeof(output)), USAGE);
    cr_expect_eq(strncmp(output, wanted, strlen(wanted)), 0, "%s", output);
    cr_assert_eq(setenv("POSENC_CONFIG", path, 1), 0);
    cr_expect_eq(posencd_run(by_variable, output, sizeof(output)), USAGE);
    cr_expect_eq(strncmp(output, wanted, strlen(wanted)), 0, "%s", output);
    cr_expect_eq(strchr(output, '\n'), output + strlen(output) - 1, "one line");
    (void)unlink(path);
}

Test(config, refuses_a_misspelt_variable)
{
    static const char *const flags[] = {"--check-config", NULL};
    char output[OUTPUT_MAX];

    cr_assert_eq(setenv("POSENC_MAX_BODY_BYTE", "1", 1), 0);
    cr_expect_eq(posencd_run(flags, output, sizeof(output)), USAGE);
    cr_expect_eq(strncmp(output, "posencd: POSENC_MAX_BODY_BYTE: ", 31), 0, "%s", output);
}

Test(config, serves_what_the_file_says)
{
    char path[64], reply[4096];
    const char *flags[] = {"--config", path, NULL};
    static const char large[] = "POST /v1/rope HTTP/1.1\r\nHost: a\r\nContent-Type: "
                                "application/json\r\nContent-Length: 11\r\nConnection: close\r\n"
                                "\r\n{\"dim\": 16}";
    struct posencd server;

    write_config("{\"max-body-bytes\": 10}", path);
    server = posencd_start(flags, -1);
    (void)posencd_exchange(&server, large, sizeof(large) - 1, 3000, reply, sizeof(reply));
    cr_expect_eq(strncmp(reply, "HTTP/1.1 413 ", 13), 0, "%s", reply);
    cr_expect(strstr(reply, "\"limit\":10"), "%s", reply);
    cr_expect_eq(posencd_stop(&server), 0);
    (void)unlink(path);
}
