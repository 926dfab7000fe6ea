/* What a directory of tables may hold. */
#include <criterion/criterion.h>
#include <sys/stat.h>

#include "table_files.h"
#include "table_store.h"

#define ROOMY ((uint64_t)1 << 20)

static const char *const everything[] = {"b.npy",   "a.safetensors", ".hidden", "plain.npy",
                                         "x y.npy", "x.txt",         ".npy",    NULL};

Test(table_reader, reads_both_formats_in_the_order_of_names)
{
    struct table_files files = table_files_new();
    char problem[TABLES_PROBLEM_MAX];

    table_files_write_npy(&files, "b.npy", 3, 2, 0.5f);
    table_files_write_safetensors(&files, "a.safetensors", TABLE_FILES_TWO, 6);
    table_files_write(&files, ".hidden", "?", 1);
    struct tables *tables = tables_read(files.path, ROOMY, problem);

    cr_assert_not_null(tables, "%s", problem);
    cr_assert_eq(tables->count, 2);
    cr_expect_eq(tables->bytes, tables->files[0].size + tables->files[1].size);
    cr_expect_str_eq(tables->files[0].name, "a.safetensors");
    cr_assert_eq(tables->files[0].tensor_count, 2);
    cr_expect_str_eq(tables->files[0].tensors[1].name, "b/c");
    cr_expect_eq(((const float *)tables->files[0].tensors[1].array.data)[3], 5);
    cr_expect_str_eq(tables->files[1].name, "b.npy");
    cr_assert_eq(tables->files[1].tensor_count, 1);
    cr_expect_null(tables->files[1].tensors[0].name);
    cr_expect_eq(tables->files[1].tensors[0].array.shape[0], 3);
    cr_expect_eq(((const float *)tables->files[1].tensors[0].array.data)[5], 0.5f);
    cr_expect_eq(tables_find(tables, "b.npy"), &tables->files[1]);
    cr_expect_null(tables_find(tables, "./b.npy"));
    tables_release(tables);
    table_files_remove(&files, everything);
}

/* A problem's line that names the file, since nothing was read. */
static void expect_refusal(const struct table_files *files, uint64_t bytes_max, const char *name,
                           const char *words)
{
    char problem[TABLES_PROBLEM_MAX] = "";

    cr_expect_null(tables_read(files->path, bytes_max, problem), "%s", name);
    cr_expect_eq(strncmp(problem, name, strlen(name)), 0, "%s: %s", name, problem);
    cr_expect_not_null(strstr(problem, words), "%s: %s", name, problem);
    cr_expect_null(strchr(problem, '\n'));
}

Test(table_reader, refuses_what_is_no_table_by_its_content)
{
    static const struct {
        const char *name, *bytes, *words;
    } rows[] = {
        {"e.npy", "", "at byte 0, the file is empty"},
        {"t.npy", "text", "at byte 0, the file does not start as an npy file"},
        {"z.npy", "PK\3\4", "npz archive"},
        {"e.safetensors", "", "ends within the first 8 bytes"},
        {"h.safetensors", "\xff\xff\xff\xff\xff\xff\xff\xff{}", "at most 1048576 are read"},
    };
    const char *names[2] = {NULL};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct table_files files = table_files_new();

        table_files_write(&files, rows[i].name, rows[i].bytes, strlen(rows[i].bytes));
        expect_refusal(&files, ROOMY, rows[i].name, rows[i].words);
        names[0] = rows[i].name;
        table_files_remove(&files, names);
    }
}

/* Bytes of a file that belong to no tensor, or to two. */
Test(table_reader, refuses_holes_and_shared_bytes)
{
    static const char *const headers[] = {
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
        ("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
         "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}"),
    };
    struct table_files files = table_files_new();

    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
        table_files_write_safetensors(&files, "a.safetensors", headers[i], 2);
        expect_refusal(&files, ROOMY, "a.safetensors", "belong");
    }
    table_files_remove(&files, everything);
}

Test(table_reader, refuses_every_beginning_of_a_good_file)
{
    struct table_files files = table_files_new();
    char *const bytes = malloc(TABLE_FILES_BYTES_MAX);
    size_t size = table_files_npy(bytes, 2, 3, 1);

    for (size_t cut = 0; cut < size; cut++) {
        table_files_write(&files, "b.npy", bytes, cut);
        expect_refusal(&files, ROOMY, "b.npy", "at byte");
    }
    cr_assert_eq(unlinkat(files.fd, "b.npy", 0), 0);
    size = table_files_safetensors(bytes, TABLE_FILES_TWO, 6);
    for (size_t cut = 0; cut < size; cut++) {
        table_files_write(&files, "a.safetensors", bytes, cut);
        expect_refusal(&files, ROOMY, "a.safetensors", "at byte");
    }
    free(bytes);
    table_files_remove(&files, everything);
}

Test(table_reader, refuses_names_that_are_none_of_a_table)
{
    static const struct {
        const char *name, *shown;
    } rows[] = {{"x y.npy", "x?y.npy is no name"},
                {"x.txt", "x.txt is no table"},
                {"x\nnpy", "x?npy is no name"},
                {"npy", "npy is no table"}};
    const char *names[2] = {NULL};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct table_files files = table_files_new();

        table_files_write_npy(&files, rows[i].name, 1, 1, 0);
        expect_refusal(&files, ROOMY, rows[i].shown, "");
        names[0] = rows[i].name;
        table_files_remove(&files, names);
    }
}

Test(table_reader, reads_regular_files_only_and_follows_no_link)
{
    struct table_files files = table_files_new();

    table_files_write_npy(&files, ".hidden", 1, 1, 0);
    cr_assert_eq(symlinkat(".hidden", files.fd, "b.npy"), 0);
    expect_refusal(&files, ROOMY, "b.npy", "symbolic link");
    cr_assert_eq(unlinkat(files.fd, "b.npy", 0), 0);
    cr_assert_eq(mkdirat(files.fd, "b.npy", 0700), 0);
    expect_refusal(&files, ROOMY, "b.npy", "is not a regular file");
    cr_assert_eq(unlinkat(files.fd, "b.npy", AT_REMOVEDIR), 0);
    cr_assert_eq(mkfifoat(files.fd, "b.npy", 0600), 0);
    expect_refusal(&files, ROOMY, "b.npy", "is not a regular file");
    table_files_remove(&files, everything);
}

Test(table_reader, limits_the_bytes_of_all_files_together)
{
    const uint64_t size = 128 + 4 * 6;
    struct table_files files = table_files_new();
    char problem[TABLES_PROBLEM_MAX];

    table_files_write_npy(&files, "b.npy", 3, 2, 0);
    table_files_write_npy(&files, "plain.npy", 3, 2, 0);
    expect_refusal(&files, 2 * size - 1, "plain.npy", "152 bytes, 1 more than are left of the 303");
    expect_refusal(&files, size - 1, "b.npy", "1 more than");
    struct tables *tables = tables_read(files.path, 2 * size, problem);

    cr_assert_not_null(tables, "%s", problem);
    cr_expect_eq(tables->bytes, 2 * size);
    tables_release(tables);
    table_files_remove(&files, everything);
}

/* A sparse file costs nothing on a disk, but all of its size in memory. */
Test(table_reader, refuses_a_huge_sparse_file_before_any_of_it_is_read)
{
    struct table_files files = table_files_new();

    table_files_write_npy(&files, "b.npy", 3, 2, 0);
    const int fd = openat(files.fd, "b.npy", O_WRONLY | O_CLOEXEC);

    cr_assert_eq(ftruncate(fd, (off_t)1 << 40), 0);
    (void)close(fd);
    expect_refusal(&files, ROOMY, "b.npy", "has 1099511627776 bytes");
    table_files_remove(&files, everything);
}

Test(table_reader, limits_the_number_of_files)
{
    struct table_files files = table_files_new();
    char name[32], problem[TABLES_PROBLEM_MAX];
    struct tables *tables;

    for (int i = 0; i < TABLES_FILES_MAX; i++) {
        (void)snprintf(name, sizeof(name), "%d.npy", i);
        table_files_write_npy(&files, name, 1, 1, (float)i);
    }
    tables = tables_read(files.path, ROOMY, problem);
    cr_expect_not_null(tables, "%s", problem);
    tables_release(tables);
    table_files_write_npy(&files, "b.npy", 1, 1, 0);
    expect_refusal(&files, ROOMY, "", "at most 1024 files");
    for (int i = 0; i < TABLES_FILES_MAX; i++) {
        (void)snprintf(name, sizeof(name), "%d.npy", i);
        cr_assert_eq(unlinkat(files.fd, name, 0), 0);
    }
    table_files_remove(&files, everything);
}

Test(table_reader, refuses_a_directory_that_is_none)
{
    char problem[TABLES_PROBLEM_MAX];

    cr_expect_null(tables_read("/dev/null", ROOMY, problem));
    cr_expect_not_null(strstr(problem, "cannot be opened: "), "%s", problem);
    cr_expect_null(tables_read("/nowhere/at/all", ROOMY, problem));
    cr_expect_not_null(strstr(problem, "cannot be opened: "), "%s", problem);
}
