#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "log.h"
#include "settings.h"

static char *const empty_environment[] = {"HOME=/", NULL};
static char *const some_environment[] = {"POSENC_MAX_BODY_BYTES=123", "POSENC_IDLE_TIMEOUT=7",
                                         NULL};
static char *const environment_of_lists[] = {"POSENC_CORS_ORIGIN=https://a,https://b", NULL};
static char *const bad_environment[] = {"POSENC_LOG_FORMAT=xml", NULL};

/* Reads up to three flags; argv ends in NULL, as main()'s does. */
static enum settings_outcome read_flags(const char *a, const char *b, const char *c,
                                        char *const environment[], struct settings *settings,
                                        char *problem)
{
    const char *argv[] = {"posencd", a, b, c, NULL};
    int argc = 1;

    while (argv[argc])
        argc++;
    return settings_read(argc, (char *const *)(void *)argv, environment, settings, problem);
}

Test(settings, has_the_documented_defaults)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_assert_eq(read_flags(NULL, NULL, NULL, empty_environment, &settings, problem),
                 SETTINGS_SERVE);
    cr_expect_str_eq(settings.listen.items[0].host, "127.0.0.1");
    cr_expect_eq(settings.listen.items[0].port, 8080);
    cr_expect_eq(settings.listen.count, 1);
    cr_expect_eq(settings.admin_listen.count, 0);
    cr_expect_eq(settings.unix_mode, 0660);
    cr_expect_geq(settings.threads, SETTINGS_THREADS_MIN);
    cr_expect_leq(settings.threads, SETTINGS_THREADS_MAX);
    cr_expect_eq(settings.body_bytes_max, UINT64_C(64) << 20);
    cr_expect_geq(settings.workers, 1);
    cr_expect_eq(settings.queue_max, 64);
    cr_expect_eq(settings.compute_seconds, 30);
    cr_expect_eq(settings.total_bytes_max, budget_default_limit());
    cr_expect_eq(settings.header_bytes_max, 32768);
    cr_expect_eq(settings.connections_max, 1024);
    cr_expect_eq(settings.result_bytes_max, UINT64_C(64) << 30);
    cr_expect_eq(settings.memory_bytes_max, UINT64_C(1) << 30);
    cr_expect_eq(settings.idle_seconds, 30);
    cr_expect_eq(settings.head_seconds, 10);
    cr_expect_eq(settings.body_seconds, 60);
    cr_expect_eq(settings.send_seconds, 60);
    cr_expect_eq(settings.drain_delay_seconds, 0);
    cr_expect_eq(settings.drain_seconds, 25);
    cr_expect_null(settings.tables);
    cr_expect_null(settings.auth_tokens);
    cr_expect_eq(settings.tables_bytes_max, UINT64_C(1) << 30);
    cr_expect_eq(settings.log_format, LOG_LOGFMT);
    cr_expect_eq(settings.log_level, LOG_INFO);
}

Test(settings, lets_a_flag_beat_the_environment_and_that_the_default)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_assert_eq(read_flags("--max-body-bytes", "456", NULL, some_environment, &settings, problem),
                 SETTINGS_SERVE);
    cr_expect_eq(settings.body_bytes_max, 456);
    cr_expect_eq(settings.idle_seconds, 7);
    cr_expect_eq(settings.head_seconds, 10);
}

Test(settings, takes_a_path_as_it_is_but_not_an_empty_one)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_assert_eq(read_flags("--tables", "/srv/my tables", "--max-tables-bytes=2KiB",
                            empty_environment, &settings, problem),
                 SETTINGS_SERVE);
    cr_expect_str_eq(settings.tables, "/srv/my tables");
    cr_expect_eq(settings.tables_bytes_max, 2048);
    cr_expect_eq(read_flags("--tables=", NULL, NULL, empty_environment, &settings, problem),
                 SETTINGS_BAD);
    cr_expect_str_eq(problem, "--tables=: \"\" is not a path");
}

Test(settings, reads_units_and_both_ways_to_write_a_flag)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_assert_eq(read_flags("--max-body-bytes=3MiB", "--threads", "5", empty_environment, &settings,
                            problem),
                 SETTINGS_SERVE);
    cr_expect_eq(settings.body_bytes_max, 3U << 20);
    cr_expect_eq(settings.threads, 5);
    cr_assert_eq(read_flags("--log-format=json", "--listen=[::]:9", "--max-header-bytes=8KiB",
                            empty_environment, &settings, problem),
                 SETTINGS_SERVE);
    cr_expect_eq(settings.log_format, LOG_JSON);
    cr_expect_str_eq(settings.listen.items[0].host, "::");
    cr_expect_eq(settings.header_bytes_max, 8192);
}

Test(settings, refuses_bad_values_and_says_what_it_takes)
{
    static const struct {
        const char *flag, *said;
    } rows[] = {
        {"--threads=1", "2 to 64"},
        {"--threads=65", "2 to 64"},
        {"--threads=", "2 to 64"},
        {"--threads=2KiB", "2 to 64"},
        {"--max-body-bytes=0", "bytes"},
        {"--max-body-bytes=-1", "bytes"},
        {"--max-body-bytes=1.5MiB", "bytes"},
        {"--max-body-bytes=1mb", "bytes"},
        {"--max-body-bytes=99999999999999999999", "bytes"},
        {"--max-body-bytes=18014398509481984KiB", "bytes"}, /* 2^64 */
        {"--idle-timeout=0", "seconds"},
        {"--log-format=xml", "logfmt or json"},
        {"--log-level=loud", "info or warn or error or none"},
        {"--listen=8080", "host:port"},
        {"--listen=", "unix:/path"},
        {"--listen=a:80,", "host:port"},
        {"--listen=a:1,a:2,a:3,a:4,a:5,a:6,a:7,a:8,a:9", "up to 8"},
        {"--admin-listen=nowhere", "host:port"},
        {"--unix-mode=66", "000 to 777"},
        {"--unix-mode=1777", "000 to 777"},
        {"--unix-mode=0x1ff", "000 to 777"},
        {"--unix-mode=680", "000 to 777"},
        {"--cors-origin=null", "scheme://host"},
        {"--cors-origin=https://a,", "scheme://host"},
        {"--cors-origin=", "scheme://host"},
        {"--listen", "value"},
        {"--nonsense", "--nonsense"},
        {"--thread=2", "--thread=2"},
        {"threads=2", "threads=2"},
        {"", "unknown"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char problem[SETTINGS_PROBLEM_MAX] = "";
        struct settings settings;

        cr_expect_eq(read_flags(rows[i].flag, NULL, NULL, empty_environment, &settings, problem),
                     SETTINGS_BAD, "%s", rows[i].flag);
        cr_expect(strstr(problem, rows[i].said), "%s: %s", rows[i].flag, problem);
        cr_expect_not(strchr(problem, '\n'));
    }
}

Test(settings, names_the_variable_that_is_wrong)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_expect_eq(read_flags(NULL, NULL, NULL, bad_environment, &settings, problem), SETTINGS_BAD);
    cr_expect(strstr(problem, "POSENC_LOG_FORMAT"), "%s", problem);
}

Test(settings, tells_the_modes_apart)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_expect_eq(read_flags("--help", NULL, NULL, empty_environment, &settings, problem),
                 SETTINGS_HELP);
    cr_expect_eq(read_flags("--version", NULL, NULL, empty_environment, &settings, problem),
                 SETTINGS_VERSION);
    cr_expect_eq(
        read_flags("--healthcheck", "--listen", "a:1", empty_environment, &settings, problem),
        SETTINGS_HEALTHCHECK);
    cr_expect_str_eq(settings.listen.items[0].host, "a");
    cr_expect_eq(read_flags("--hash-token", NULL, NULL, empty_environment, &settings, problem),
                 SETTINGS_HASH_TOKEN);
    cr_expect_null(settings.token_name);
    cr_expect_eq(read_flags("--hash-token=ci", NULL, NULL, empty_environment, &settings, problem),
                 SETTINGS_HASH_TOKEN);
    cr_expect_str_eq(settings.token_name, "ci");
    cr_expect_eq(read_flags("--hash-tokens", "x", NULL, empty_environment, &settings, problem),
                 SETTINGS_BAD);
}

Test(settings, looks_at_nothing_else_when_help_or_version_is_wanted)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_expect_eq(read_flags("--help", "--nonsense", NULL, bad_environment, &settings, problem),
                 SETTINGS_HELP);
    cr_expect_eq(read_flags("--version", NULL, NULL, bad_environment, &settings, problem),
                 SETTINGS_VERSION);
}

/* Splits by blanks; a line of --check-config. */
static void expect_effective(const struct settings *settings, const char *name, const char *value,
                             const char *source)
{
    char line[256], wanted[256], *text = NULL, *at;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    cr_assert(out);
    settings_print_effective(settings, out);
    cr_assert_eq(fclose(out), 0);
    (void)snprintf(line, sizeof(line), "%-18s ", name);
    (void)snprintf(wanted, sizeof(wanted), "%-18s %-24s %s\n", name, value, source);
    at = strstr(text, line);
    cr_assert(at, "%s is not in\n%s", name, text);
    cr_expect_eq(strncmp(at, wanted, strlen(wanted)), 0, "%s: %.80s", name, at);
    free(text);
}

Test(settings, prints_every_value_with_its_source)
{
    static char *const environment[] = {"POSENC_MAX_BODY_BYTES=1536KiB", "POSENC_LOG_FORMAT=json",
                                        "POSENC_CORS_ORIGIN=https://a,https://b", NULL};
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_assert_eq(read_flags("--check-config", "--listen=[::1]:80", "--max-header-bytes=5000",
                            environment, &settings, problem),
                 SETTINGS_CHECK);
    expect_effective(&settings, "listen", "[::1]:80", "flag --listen");
    expect_effective(&settings, "max-header-bytes", "5000", "flag --max-header-bytes");
    expect_effective(&settings, "max-body-bytes", "1536KiB", "environment POSENC_MAX_BODY_BYTES");
    expect_effective(&settings, "log-format", "json", "environment POSENC_LOG_FORMAT");
    expect_effective(&settings, "cors-origin", "https://a,https://b",
                     "environment POSENC_CORS_ORIGIN");
    expect_effective(&settings, "idle-timeout", "30", "default");
    expect_effective(&settings, "max-connections", "1024", "default");
    expect_effective(&settings, "tables", "-", "default");
    expect_effective(&settings, "admin-listen", "-", "default");
    expect_effective(&settings, "unix-mode", "0660", "default");
}

Test(settings, prints_lists_of_addresses_as_they_are_read)
{
    static char *const environment[] = {"POSENC_LISTEN=a:1,unix:/run/b,[::1]:2",
                                        "POSENC_UNIX_MODE=0007", NULL};
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_assert_eq(read_flags("--check-config", NULL, NULL, environment, &settings, problem),
                 SETTINGS_CHECK);
    expect_effective(&settings, "listen", "a:1,unix:/run/b,[::1]:2", "environment POSENC_LISTEN");
    expect_effective(&settings, "unix-mode", "0007", "environment POSENC_UNIX_MODE");
}

Test(settings, wants_certificate_and_key_together)
{
    static char *const environment[] = {"POSENC_TLS_CERT=/a", NULL};
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_expect_eq(read_flags(NULL, NULL, NULL, environment, &settings, problem), SETTINGS_BAD);
    cr_expect_str_eq(problem, "--tls-cert and --tls-key need each other");
    cr_expect_eq(read_flags("--tls-key=/b", NULL, NULL, empty_environment, &settings, problem),
                 SETTINGS_BAD);
    cr_assert_eq(
        read_flags("--tls-key=/b", "--hsts=31536000", NULL, environment, &settings, problem),
        SETTINGS_SERVE);
    cr_expect_str_eq(settings.tls_cert, "/a");
    cr_expect_str_eq(settings.tls_key, "/b");
    cr_expect_eq(settings.hsts_seconds, 31536000);
}

Test(settings, explains_every_row_in_help)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    cr_assert(out);
    settings_print_help(out);
    cr_assert_eq(fclose(out), 0);
    cr_expect(strstr(text, "--drain-timeout"));
    cr_expect(strstr(text, "POSENC_DRAIN_TIMEOUT"));
    cr_expect(strstr(text, "1 to 86400 seconds; default 25"));
    cr_expect(strstr(text, "logfmt or json; default logfmt"));
    free(text);
}

Test(settings, adds_up_lists_of_one_source_and_replaces_those_of_a_weaker_one)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_assert_eq(read_flags(NULL, NULL, NULL, environment_of_lists, &settings, problem),
                 SETTINGS_SERVE);
    cr_assert_eq(settings.cors.count, 2);
    cr_expect_str_eq(settings.cors.origins[0], "https://a");
    cr_expect_str_eq(settings.cors.origins[1], "https://b");
    cr_assert_eq(read_flags("--cors-origin=https://c,https://d", "--cors-origin", "https://e",
                            environment_of_lists, &settings, problem),
                 SETTINGS_SERVE);
    cr_assert_eq(settings.cors.count, 3);
    cr_expect_str_eq(settings.cors.origins[0], "https://c");
    cr_expect_str_eq(settings.cors.origins[2], "https://e");
    cr_assert_eq(
        read_flags("--cors-origin=*", NULL, NULL, environment_of_lists, &settings, problem),
        SETTINGS_SERVE);
    cr_expect(settings.cors.is_open);
    cr_expect_eq(settings.cors.count, 0);
}

Test(settings, listens_at_several_places)
{
    char problem[SETTINGS_PROBLEM_MAX];
    struct settings settings;

    cr_assert_eq(read_flags("--listen=a:1,unix:/b", "--listen=[::1]:2", "--unix-mode=600",
                            empty_environment, &settings, problem),
                 SETTINGS_SERVE);
    cr_assert_eq(settings.listen.count, 3);
    cr_expect_str_eq(settings.listen.items[0].host, "a");
    cr_expect_str_eq(settings.listen.items[1].host, "/b");
    cr_expect(settings.listen.items[1].is_unix);
    cr_expect_str_eq(settings.listen.items[2].host, "::1");
    cr_expect_eq(settings.unix_mode, 0600);
}
