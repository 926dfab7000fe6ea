/* From a directory to tables. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "npy_reader.h"
#include "safetensors_reader.h"
#include "table_store.h"
#include "whole_file.h"

/* Beside the bytes of files: names, headers, and copies of what does not lie in memory as in its
 * file, of which there can be one for each byte. */
#define READER_COPIES       2
#define READER_MEMORY_EXTRA ((size_t)64 << 20)

#define READER_NAME_SHOWN 255 /* bytes of a name that a problem repeats: all that there can be */

struct reader {
    int directory_fd;
    uint64_t bytes_max;
    struct tables *tables;
    char *problem;
};

/* Says what is wrong with a file. The name is anybody's bytes, and the line must stay one line. */
static bool reader_fail(const struct reader *reader, const char *name, const char *words, ...)
    __attribute__((format(printf, 3, 4)));

static bool reader_fail(const struct reader *reader, const char *name, const char *words, ...)
{
    va_list arguments;
    size_t used = strnlen(name, READER_NAME_SHOWN);

    for (size_t i = 0; i < used; i++)
        reader->problem[i] = (char)(name[i] > ' ' && name[i] <= '~' ? name[i] : '?');
    if (used > 0)
        reader->problem[used++] = ' ';
    va_start(arguments, words);
    (void)vsnprintf(reader->problem + used, TABLES_PROBLEM_MAX - used, words,
                    arguments); /* cut if long */
    va_end(arguments);
    return false;
}

/* Names. */

static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name), end_length = strlen(end);

    return length > end_length && strcmp(name + length - end_length, end) == 0;
}

static bool check_name(const struct reader *reader, const char *name)
{
    static const char known[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

    if (name[strspn(name, known)] != '\0')
        return reader_fail(reader, name,
                           "is no name for a table: letters, digits, '.', '_' and '-' are");
    if (!ends_in(name, ".npy") && !ends_in(name, ".safetensors"))
        return reader_fail(reader, name,
                           "is no table: the names of tables end in .npy or .safetensors");
    return true;
}

static bool add_name(const struct reader *reader, const char *name)
{
    struct tables *const tables = reader->tables;
    const size_t size = strlen(name) + 1;

    if (!check_name(reader, name))
        return false;
    if (tables->count == TABLES_FILES_MAX)
        return reader_fail(reader, name, "is one too many: at most %d files are read",
                           TABLES_FILES_MAX);
    char *const copy = posenc_allocate(&tables->memory, size, 1);

    if (!copy)
        return reader_fail(reader, name, "cannot be read: out of memory");
    memcpy(copy, name, size);
    tables->files[tables->count++] = (struct table_file){.name = copy};
    return true;
}

static int compare_files(const void *a, const void *b)
{
    const struct table_file *const left = a, *const right = b;

    return strcmp(left->name, right->name);
}

/* Finds all names first: their order in a directory is anything. */
static bool list_names(const struct reader *reader, DIR *directory)
{
    struct tables *const tables = reader->tables;
    const struct dirent *entry;

    tables->files = posenc_allocate(&tables->memory, TABLES_FILES_MAX, sizeof(*tables->files));
    if (!tables->files)
        return reader_fail(reader, "", "out of memory");
    errno = 0;
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] != '.' && !add_name(reader, entry->d_name))
            return false;
        errno = 0;
    }
    if (errno != 0)
        return reader_fail(reader, "", "cannot be listed: %s", strerror(errno));
    qsort(tables->files, tables->count, sizeof(*tables->files), compare_files);
    return true;
}

/* Contents. */

/* Takes tensors over from what a reader of bodies has made: one array, or an object of them. */
static bool keep_tensors(const struct reader *reader, struct table_file *file,
                         const struct posenc_value *value)
{
    const bool is_object = value->kind == POSENC_OBJECT;
    const size_t count = is_object ? value->as.object.count : 1;

    if (count == 0)
        return true;
    struct table_tensor *const tensors =
        posenc_allocate(&reader->tables->memory, count, sizeof(*tensors));

    if (!tensors)
        return reader_fail(reader, file->name, "cannot be read: out of memory");
    for (size_t i = 0; i < count; i++) {
        const struct posenc_member *const member = is_object ? &value->as.object.items[i] : NULL;

        tensors[i] = member ? (struct table_tensor){member->name, member->value.as.array}
                            : (struct table_tensor){NULL, value->as.array};
    }
    file->tensors = tensors;
    file->tensor_count = count;
    return true;
}

static bool read_tensors(const struct reader *reader, struct table_file *file, const char *bytes)
{
    struct posenc_memory *const memory = &reader->tables->memory;
    struct posenc_value value = {.kind = POSENC_ARRAY};
    struct body_problem problem;
    const bool is_npy = ends_in(file->name, ".npy");
    const bool is_read = is_npy
                             ? read_npy_body(bytes, file->size, memory, &value.as.array, &problem)
                             : read_safetensors_body(bytes, file->size, memory, &value, &problem);

    if (!is_read && problem.no_memory)
        return reader_fail(reader, file->name, "cannot be read: out of memory");
    if (!is_read)
        return reader_fail(reader, file->name, "is no %s file: at byte %zu, %s",
                           is_npy ? "npy" : "safetensors", problem.offset, problem.detail);
    return keep_tensors(reader, file, &value);
}

/* Reads what is open. */
static bool read_file(const struct reader *reader, struct table_file *file, int fd)
{
    struct tables *const tables = reader->tables;
    struct stat before;

    if (fstat(fd, &before) != 0)
        return reader_fail(reader, file->name, "cannot be looked at: %s", strerror(errno));
    if (!S_ISREG(before.st_mode))
        return reader_fail(reader, file->name, "is not a regular file");
    if ((uint64_t)before.st_size > reader->bytes_max - tables->bytes)
        return reader_fail(
            reader, file->name,
            "has %llu bytes, %llu more than are left of the %llu for all tables",
            (unsigned long long)before.st_size,
            (unsigned long long)((uint64_t)before.st_size - (reader->bytes_max - tables->bytes)),
            (unsigned long long)reader->bytes_max);
    file->size = (size_t)before.st_size;
    char *const bytes = posenc_allocate(&tables->memory, file->size + 1, 1);

    if (!bytes)
        return reader_fail(reader, file->name, "cannot be read: out of memory");
    const char *const fault = read_whole_file(fd, &before, bytes);

    if (fault)
        return reader_fail(reader, file->name, "%s%s%s", fault,
                           fault[strlen(fault) - 1] == ':' ? " " : "",
                           fault[strlen(fault) - 1] == ':' ? strerror(errno) : "");
    tables->bytes += file->size;
    return read_tensors(reader, file, bytes);
}

/* Without waiting for the writer of a pipe, and without going where a link points. */
static bool open_file(const struct reader *reader, struct table_file *file)
{
    const int fd = openat(reader->directory_fd, file->name,
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool is_read;

    if (fd < 0 && errno == ELOOP)
        return reader_fail(reader, file->name, "is a symbolic link, which is not followed");
    if (fd < 0)
        return reader_fail(reader, file->name, "cannot be opened: %s", strerror(errno));
    is_read = read_file(reader, file, fd);
    (void)close(fd); /* it was only read */
    return is_read;
}

static bool read_directory(struct reader *reader, const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const directory = fd < 0 ? NULL : fdopendir(fd);
    bool is_read;

    if (!directory) {
        (void)reader_fail(reader, "", "cannot be opened: %s", strerror(errno));
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    reader->directory_fd = fd;
    is_read = list_names(reader, directory);
    for (size_t i = 0; is_read && i < reader->tables->count; i++)
        is_read = open_file(reader, &reader->tables->files[i]);
    (void)closedir(directory); /* closes fd; it was only read */
    return is_read;
}

struct tables *tables_read(const char *directory, uint64_t bytes_max,
                           char problem[TABLES_PROBLEM_MAX])
{
    struct tables *const tables = calloc(1, sizeof(*tables));
    struct reader reader = {
        .directory_fd = -1, .bytes_max = bytes_max, .tables = tables, .problem = problem};

    if (!tables) {
        (void)reader_fail(&reader, "", "out of memory");
        return NULL;
    }
    atomic_init(&tables->holders, 1);
    posenc_memory_init(&tables->memory, (size_t)bytes_max * READER_COPIES + READER_MEMORY_EXTRA);
    if (read_directory(&reader, directory))
        return tables;
    tables_release(tables);
    return NULL;
}
