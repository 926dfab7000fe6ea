#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "settings_file.h"

#define PATH_MAX_HERE 64

/* A file of its own, removed by whoever asked for it. */
static void write_file(const char *text, size_t size, char path[PATH_MAX_HERE])
{
    FILE *out;
    int fd;

    (void)snprintf(path, PATH_MAX_HERE, "build/test-settings-XXXXXX");
    fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    out = fdopen(fd, "w");
    cr_assert(out);
    cr_assert_eq(fwrite(text, 1, size, out), size);
    cr_assert_eq(fclose(out), 0);
}

static bool take(const char *text, struct settings *settings, char problem[SETTINGS_PROBLEM_MAX],
                 char path[PATH_MAX_HERE])
{
    bool is_taken;

    write_file(text, strlen(text), path);
    is_taken = settings_take_file(path, settings, problem);
    (void)unlink(path);
    return is_taken;
}

Test(settings_file, takes_numbers_texts_with_units_choices_paths_and_lists)
{
    char problem[SETTINGS_PROBLEM_MAX] = "", path[PATH_MAX_HERE];
    struct settings settings = {0};

    cr_assert(take(" {\"threads\": 3,\n\"max-body-bytes\" : \"2MiB\", \"idle-timeout\":\"9\",\r\n"
                   "\t\"log-format\": \"json\", \"tables\": \"/srv/\\u00e9 \\\"x\\\"\","
                   "\"cors-origin\": [\"https://a\", \"https://b,https://c\"],"
                   "\"listen\": \"[::]:1\", \"max-total-bytes\": 4294967296 } \n",
                   &settings, problem, path),
              "%s", problem);
    cr_expect_eq(settings.threads, 3);
    cr_expect_eq(settings.body_bytes_max, 2U << 20);
    cr_expect_eq(settings.total_bytes_max, UINT64_C(1) << 32);
    cr_expect_eq(settings.idle_seconds, 9);
    cr_expect_eq(settings.log_format, LOG_JSON);
    cr_expect_str_eq(settings.tables, "/srv/\xc3\xa9 \"x\"");
    cr_expect_eq(settings.cors.count, 3);
    cr_expect_str_eq(settings.listen.items[0].host, "::");
    settings_release(&settings);
}

Test(settings_file, takes_an_empty_object_and_values_with_brackets_in_texts)
{
    char problem[SETTINGS_PROBLEM_MAX] = "", path[PATH_MAX_HERE];
    struct settings settings = {0};

    cr_expect(take("{}", &settings, problem, path), "%s", problem);
    settings_release(&settings);
    cr_expect(take("{\"tables\":\"}],\\\"{[\",\"threads\":5}", &settings, problem, path), "%s",
              problem);
    cr_expect_eq(settings.threads, 5);
    settings_release(&settings);
}

Test(settings_file, names_key_line_and_column_of_what_it_refuses)
{
    static const struct {
        const char *text, *said; /* behind the path */
    } rows[] = {
        {"{\"thread\": 2}", ":1:2: \"thread\": there is no such setting"},
        {"{\n  \"threads\": 3,\n  \"Threads\": 3}", ":3:3: \"Threads\": there is no such setting"},
        {"{\"tables\": \"\\\\\\\"\",\n \"threads\": 2.5}",
         ":2:2: \"threads\": the value must be an"},
        {"{\"threads\": true}", ":1:2: \"threads\": the value must be an integer"},
        {"{\"threads\": null}", ":1:2: \"threads\": the value must be an integer"},
        {"{\"threads\": [2]}", ":1:2: \"threads\": the value must be an integer"},
        {"{\"threads\": 1}", ":1:2: \"threads\": \"1\" is not 2 to 64"},
        {"{\"threads\": -2}", ":1:2: \"threads\": \"-2\" is not 2 to 64"},
        {"{\"threads\": \"2KiB\"}", ":1:2: \"threads\": \"2KiB\" is not 2 to 64"},
        {"{\"threads\": 1e1}", ":1:2: \"threads\": the value must be an integer"},
        {"{\"log-format\": 1}", ":1:2: \"log-format\": the value must be a text"},
        {"{\"log-format\": [\"json\"]}", ":1:2: \"log-format\": the value must be a text"},
        {"{\"log-format\": \"xml\"}", ":1:2: \"log-format\": \"xml\" is not logfmt or json"},
        {"{\"tables\": \"\"}", ":1:2: \"tables\": \"\" is not a path"},
        {"{\"cors-origin\": [1]}", ":1:2: \"cors-origin\": the value must be a text"},
        {"{\"config\": \"x\"}", ":1:2: \"config\": a file cannot name another"},
        {"{\"max-body-bytes\": {\"a\": [\"}\"]}}",
         ":1:2: \"max-body-bytes\": the value must be an"},
        {"{\"thr\\u0065ads\": 2}", ":1:2: \"thr\\u0065ads\": there is no such setting"},
        {"{\"threads\": 2,\n\"threads\": 2}", ":2:9: duplicate object key"},
        {"{\"threads\": 2", ":1:13: "},
        {"{\"threads\": 2} x", ":1:16: end of file expected"},
        {"[]", ": not a JSON object"},
        {"", ":1:0: "},
        {"{\"tables\": \"a\\u0000b\"}", ":1:21: "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char problem[SETTINGS_PROBLEM_MAX] = "", path[PATH_MAX_HERE], wanted[256];
        struct settings settings = {0};

        cr_expect_not(take(rows[i].text, &settings, problem, path), "%s", rows[i].text);
        (void)snprintf(wanted, sizeof(wanted), "%s%s", path, rows[i].said);
        cr_expect_eq(strncmp(problem, wanted, strlen(wanted)), 0, "%s: %s", rows[i].text, problem);
        cr_expect_not(strchr(problem, '\n'));
        settings_release(&settings);
    }
}

Test(settings_file, says_why_it_cannot_be_read)
{
    char problem[SETTINGS_PROBLEM_MAX] = "", path[PATH_MAX_HERE];
    char *large = calloc(1, SETTINGS_FILE_BYTES_MAX + 1);
    struct settings settings = {0};

    cr_assert(large);
    cr_expect_not(settings_take_file("build/no-such-file", &settings, problem));
    cr_expect_str_eq(problem, "build/no-such-file: No such file or directory");
    cr_expect_not(settings_take_file("build", &settings, problem));
    cr_expect(strstr(problem, "build: Is a directory"), "%s", problem);
    memset(large, ' ', SETTINGS_FILE_BYTES_MAX + 1);
    write_file(large, SETTINGS_FILE_BYTES_MAX + 1, path);
    cr_expect_not(settings_take_file(path, &settings, problem));
    cr_expect(strstr(problem, "larger than"), "%s", problem);
    (void)unlink(path);
    free(large);
}

/* Of a path of any length the problem keeps the reason. */
Test(settings_file, keeps_the_reason_however_long_the_path)
{
    char problem[SETTINGS_PROBLEM_MAX] = "", path[2000];
    struct settings settings = {0};

    memset(path, 'x', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    cr_expect_not(settings_take_file(path, &settings, problem));
    cr_expect(strstr(problem, "File name too long"), "%s", problem);
}
