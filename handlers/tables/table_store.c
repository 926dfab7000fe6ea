/* Tables are counted; a lock guards the moment between finding them and counting. */
#include "table_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct table_store {
    pthread_mutex_t lock; /* held for a few instructions only */
    struct tables *current;
};

const struct table_file *tables_find(const struct tables *tables, const char *name)
{
    for (size_t i = 0; i < tables->count; i++)
        if (strcmp(tables->files[i].name, name) == 0)
            return &tables->files[i];
    return NULL;
}

void tables_release(struct tables *tables)
{
    if (!tables || atomic_fetch_sub(&tables->holders, 1) > 1)
        return;
    posenc_memory_release(&tables->memory);
    free(tables);
}

struct table_store *table_store_new(void)
{
    struct table_store *store = calloc(1, sizeof(*store));

    if (store && pthread_mutex_init(&store->lock, NULL) != 0) {
        free(store);
        return NULL;
    }
    return store;
}

void table_store_free(struct table_store *store)
{
    if (!store)
        return;
    tables_release(store->current);
    (void)pthread_mutex_destroy(&store->lock); /* nobody holds it */
    free(store);
}

void table_store_replace(struct table_store *store, struct tables *tables)
{
    (void)pthread_mutex_lock(&store->lock); /* a plain mutex cannot fail here */
    struct tables *const old = store->current;

    store->current = tables;
    (void)pthread_mutex_unlock(&store->lock);
    tables_release(old);
}

struct tables *table_store_acquire(struct table_store *store)
{
    if (!store)
        return NULL;
    (void)pthread_mutex_lock(&store->lock);
    struct tables *const tables = store->current;

    if (tables)
        atomic_fetch_add(&tables->holders, 1);
    (void)pthread_mutex_unlock(&store->lock);
    return tables;
}
