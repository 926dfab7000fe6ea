/* A directory of small table files, for tests. */
#ifndef TABLE_FILES_H
#define TABLE_FILES_H

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TABLE_FILES_PATH_MAX  64
#define TABLE_FILES_BYTES_MAX 65536

/* Where it is. The test's process leaves it behind when it fails. */
struct table_files {
    char path[TABLE_FILES_PATH_MAX];
    int fd;
};

static inline struct table_files table_files_new(void)
{
    struct table_files files = {.path = "/tmp/posenc-tables-XXXXXX"};

    cr_assert_not_null(mkdtemp(files.path));
    files.fd = open(files.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert_geq(files.fd, 0);
    return files;
}

/* Removes the directory, which holds what `names` lists, NULL-terminated, or less. */
static inline void table_files_remove(struct table_files *files, const char *const *names)
{
    for (; *names; names++)
        if (unlinkat(files->fd, *names, 0) != 0)
            (void)unlinkat(files->fd, *names, AT_REMOVEDIR); /* or it is not there */
    (void)close(files->fd);
    cr_expect_eq(rmdir(files->path), 0, "%s holds more", files->path);
}

/* Writes a file in one step, as an operator should: under a hidden name, then renamed. */
static inline void table_files_write(const struct table_files *files, const char *name,
                                     const char *bytes, size_t size)
{
    const int fd = openat(files->fd, ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
    cr_assert_eq(close(fd), 0);
    cr_assert_eq(renameat(files->fd, ".new", files->fd, name), 0);
}

/* An npy file of float32 [rows, dim], all of them `value`; returns its size. */
static inline size_t table_files_npy(char bytes[TABLE_FILES_BYTES_MAX], unsigned rows, unsigned dim,
                                     float value)
{
    const size_t header = 128;
    int used;

    memset(bytes, ' ', header);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10); /* 118 bytes follow */
    used = snprintf(bytes + 10, header - 10,
                    "{'descr': '<f4', 'fortran_order': False, 'shape': (%u, %u), }", rows, dim);
    bytes[10 + used] = ' ';
    bytes[header - 1] = '\n';
    cr_assert_leq(header + rows * dim * sizeof(value), TABLE_FILES_BYTES_MAX);
    for (size_t i = 0; i < (size_t)rows * dim; i++)
        memcpy(bytes + header + i * sizeof(value), &value, sizeof(value));
    return header + rows * dim * sizeof(value);
}

static inline void table_files_write_npy(const struct table_files *files, const char *name,
                                         unsigned rows, unsigned dim, float value)
{
    char *const bytes = malloc(TABLE_FILES_BYTES_MAX);

    cr_assert_not_null(bytes);
    table_files_write(files, name, bytes, table_files_npy(bytes, rows, dim, value));
    free(bytes);
}

/* A safetensors file of this header and `count` numbers 0, 1, 2, ... of float32; returns its size.
 */
static inline size_t table_files_safetensors(char bytes[TABLE_FILES_BYTES_MAX], const char *header,
                                             size_t count)
{
    const uint64_t length = strlen(header);

    memcpy(bytes, &length, sizeof(length));
    memcpy(bytes + sizeof(length), header, length);
    for (size_t i = 0; i < count; i++) {
        const float value = (float)i;

        memcpy(bytes + sizeof(length) + length + i * sizeof(value), &value, sizeof(value));
    }
    return sizeof(length) + (size_t)length + count * sizeof(float);
}

static inline void table_files_write_safetensors(const struct table_files *files, const char *name,
                                                 const char *header, size_t count)
{
    char *const bytes = malloc(TABLE_FILES_BYTES_MAX);

    cr_assert_not_null(bytes);
    table_files_write(files, name, bytes, table_files_safetensors(bytes, header, count));
    free(bytes);
}

/* Two tensors, a [1, 2] and b/c [2, 2], for six numbers. */
#define TABLE_FILES_TWO                                                                            \
    "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},"                           \
    "\"b/c\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[8,24]}}"

/* One tensor, only [2, 2], for four numbers. */
#define TABLE_FILES_ONE "{\"only\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}"

#endif
