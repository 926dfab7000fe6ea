/* Tables that are replaced while they are in use. */
#include "table_store.h"

#include <criterion/criterion.h>
#include <pthread.h>

#include "table_files.h"

#define ROOMY   ((uint64_t)1 << 20)
#define READERS 4
#define RELOADS 200
#define ROWS    64
#define DIM     8

static const char *const names[] = {"b.npy", NULL};

static struct tables *read_value(const struct table_files *files, float value)
{
    char problem[TABLES_PROBLEM_MAX];

    table_files_write_npy(files, "b.npy", ROWS, DIM, value);
    struct tables *tables = tables_read(files->path, ROOMY, problem);

    cr_assert_not_null(tables, "%s", problem);
    return tables;
}

static float cell(const struct tables *tables, size_t index)
{
    return ((const float *)tables->files[0].tensors[0].array.data)[index];
}

Test(table_store, has_no_tables_until_it_is_given_some)
{
    struct table_store *store = table_store_new();

    cr_expect_null(table_store_acquire(store));
    cr_expect_null(table_store_acquire(NULL));
    tables_release(NULL);
    table_store_free(store);
    table_store_free(NULL);
}

Test(table_store, keeps_old_tables_for_those_that_hold_them)
{
    struct table_files files = table_files_new();
    struct table_store *store = table_store_new();

    table_store_replace(store, read_value(&files, 1));
    struct tables *old = table_store_acquire(store);

    table_store_replace(store, read_value(&files, 2));
    struct tables *now = table_store_acquire(store);

    cr_expect_eq(cell(old, 0), 1);
    cr_expect_eq(cell(now, 0), 2);
    cr_expect_eq(atomic_load(&old->holders), 1);
    cr_expect_eq(atomic_load(&now->holders), 2);
    tables_release(old);
    table_store_free(store);
    cr_expect_eq(cell(now, ROWS * DIM - 1), 2);
    tables_release(now);
    table_files_remove(&files, names);
}

struct watch {
    struct table_store *store;
    atomic_bool is_over;
    atomic_size_t mixed; /* tables whose cells differ */
};

static void *watch_tables(void *context)
{
    struct watch *watch = context;

    while (!atomic_load(&watch->is_over)) {
        struct tables *tables = table_store_acquire(watch->store);

        for (size_t i = 1; i < ROWS * DIM; i++)
            if (cell(tables, i) != cell(tables, 0))
                atomic_fetch_add(&watch->mixed, 1);
        tables_release(tables);
    }
    return NULL;
}

Test(table_store, shows_many_readers_whole_tables_while_they_are_replaced)
{
    struct table_files files = table_files_new();
    struct watch watch = {.store = table_store_new()};
    pthread_t threads[READERS];

    table_store_replace(watch.store, read_value(&files, 0));
    for (size_t i = 0; i < READERS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, watch_tables, &watch), 0);
    for (size_t i = 1; i <= RELOADS; i++)
        table_store_replace(watch.store, read_value(&files, (float)i));
    atomic_store(&watch.is_over, true);
    for (size_t i = 0; i < READERS; i++)
        (void)pthread_join(threads[i], NULL);
    struct tables *last = table_store_acquire(watch.store);

    cr_expect_eq(atomic_load(&watch.mixed), 0);
    cr_expect_eq(cell(last, 0), (float)RELOADS);
    cr_expect_eq(atomic_load(&last->holders), 2, "a reader did not let go");
    tables_release(last);
    table_store_free(watch.store);
    table_files_remove(&files, names);
}
