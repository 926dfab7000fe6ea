/*
 * The operator's tables: files of tensors in one directory, read whole into memory, so that nothing
 * that happens to a file later can harm an answer. What has been read never changes; reading again
 * puts another set in its place, and the old one lives until the last exchange that uses it ends.
 */
#ifndef POSENC_TABLE_STORE_H
#define POSENC_TABLE_STORE_H

#include <stdatomic.h>

#include "posenc.h"

#define TABLES_FILES_MAX   1024
#define TABLES_PROBLEM_MAX 1024 /* bytes of a line, with its end */

struct table_tensor {
    const char *name; /* NULL: of an npy file, which has one tensor without a name */
    struct posenc_array array;
};

struct table_file {
    const char *name; /* as it stands in the directory */
    size_t size;      /* bytes */
    size_t tensor_count;
    const struct table_tensor *tensors; /* in the order of their bytes; NULL where there are none */
};

/* All files at one time, by name in the order of strcmp(). Read-only. */
struct tables {
    size_t count;
    struct table_file *files;
    uint64_t bytes;              /* of all files */
    struct posenc_memory memory; /* which all of it lives in */
    atomic_size_t holders;       /* the store and exchanges */
};

/* The file of that name, or NULL. */
const struct table_file *tables_find(const struct tables *tables, const char *name);

/* Lets go of tables; the last one frees them. NULL is nothing to let go. Any thread. */
void tables_release(struct tables *tables);

/*
 * Reads every file of a directory but those whose names start with a dot. Names are letters,
 * digits, '.', '_' and '-', and end in .npy or .safetensors; anything else there, a link, a
 * directory, a file that cannot be read as its name says, or that changes meanwhile, makes all of
 * it fail. One reference is the caller's. NULL: problem says which file and why, on one line.
 *
 * bytes_max  of all files together
 */
struct tables *tables_read(const char *directory, uint64_t bytes_max,
                           char problem[TABLES_PROBLEM_MAX]);

/* The place where the tables of the moment are found. */
struct table_store;

/* Holds no tables yet; NULL when memory is out. */
struct table_store *table_store_new(void);
void table_store_free(struct table_store *store);

/* Puts tables, whose reference passes to the store, in the place of the old ones. Any thread. */
void table_store_replace(struct table_store *store, struct tables *tables);

/* The tables of the moment, with a reference to release; NULL when there are none, or no store. */
struct tables *table_store_acquire(struct table_store *store);

#endif
