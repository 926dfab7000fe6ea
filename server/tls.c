#include "tls.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/x509.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "whole_file.h"

struct tls_identity {
    gnutls_certificate_credentials_t credentials;
    atomic_size_t holders; /* the store and connections */
};

struct tls_store {
    pthread_mutex_t mutex;
    struct tls_identity *current; /* or NULL */
};

struct tls_store *tls_store_new(void)
{
    struct tls_store *store = calloc(1, sizeof(*store));

    if (!store)
        return NULL;
    (void)pthread_mutex_init(&store->mutex, NULL); /* cannot fail without attributes */
    return store;
}

void tls_store_free(struct tls_store *store)
{
    if (!store)
        return;
    tls_identity_release(store->current);
    (void)pthread_mutex_destroy(&store->mutex);
    free(store);
}

struct tls_identity *tls_store_acquire(struct tls_store *store)
{
    struct tls_identity *identity;

    (void)pthread_mutex_lock(&store->mutex); /* cannot fail: initialised, not recursive */
    identity = store->current;
    if (identity)
        atomic_fetch_add(&identity->holders, 1);
    (void)pthread_mutex_unlock(&store->mutex);
    return identity;
}

void tls_identity_release(struct tls_identity *identity)
{
    if (!identity || atomic_fetch_sub(&identity->holders, 1) > 1)
        return;
    gnutls_certificate_free_credentials(identity->credentials);
    free(identity);
}

bool tls_identity_use(const struct tls_identity *identity, gnutls_session_t session)
{
    return gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, identity->credentials) ==
           GNUTLS_E_SUCCESS;
}

/* words end in a colon where errno says more. */
static bool tls_explain(const char *path, const char *words, char problem[TLS_PROBLEM_MAX])
{
    const bool has_reason = words[strlen(words) - 1] == ':';

    (void)snprintf(problem, TLS_PROBLEM_MAX, "%.256s %s%s%s", path, words, has_reason ? " " : "",
                   has_reason ? strerror(errno) : "");
    return false;
}

/* Reads an open file into memory that is then the caller's. */
static bool tls_read_open(int fd, const char *path, gnutls_datum_t *text, mode_t *mode,
                          char problem[TLS_PROBLEM_MAX])
{
    const char *fault;
    struct stat status;

    if (fstat(fd, &status) != 0)
        return tls_explain(path, "cannot be looked at:", problem);
    if (!S_ISREG(status.st_mode))
        return tls_explain(path, "is not a regular file", problem);
    if (status.st_mode & S_IWOTH)
        return tls_explain(path, "may be written by everybody: chmod o-w", problem);
    if (status.st_size > TLS_FILE_BYTES_MAX)
        return tls_explain(path, "is too large", problem);
    text->data = malloc((size_t)status.st_size + 1);
    if (!text->data)
        return tls_explain(path, "cannot be read:", problem);
    fault = read_whole_file(fd, &status, (char *)text->data);
    if (fault)
        return tls_explain(path, fault, problem);
    text->size = (unsigned)status.st_size;
    *mode = status.st_mode;
    return true;
}

static bool tls_read_file(const char *path, gnutls_datum_t *text, mode_t *mode,
                          char problem[TLS_PROBLEM_MAX])
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is_read;

    if (fd < 0)
        return tls_explain(path, "cannot be opened:", problem);
    is_read = tls_read_open(fd, path, text, mode, problem);
    (void)close(fd);
    return is_read;
}

/* The time at which the first certificate of a chain ends, or -1. */
static time_t tls_find_expiry(const gnutls_datum_t *chain)
{
    gnutls_x509_crt_t certificate;
    time_t expires = -1;

    if (gnutls_x509_crt_init(&certificate) != GNUTLS_E_SUCCESS)
        return -1;
    if (gnutls_x509_crt_import(certificate, chain, GNUTLS_X509_FMT_PEM) == GNUTLS_E_SUCCESS)
        expires = gnutls_x509_crt_get_expiration_time(certificate);
    gnutls_x509_crt_deinit(certificate);
    return expires;
}

/* An identity with one reference, or NULL. */
static struct tls_identity *tls_identity_new(const char *path, const gnutls_datum_t *chain,
                                             const gnutls_datum_t *key,
                                             char problem[TLS_PROBLEM_MAX])
{
    struct tls_identity *identity = calloc(1, sizeof(*identity));
    int status;

    if (!identity ||
        gnutls_certificate_allocate_credentials(&identity->credentials) != GNUTLS_E_SUCCESS) {
        free(identity);
        (void)tls_explain(path, "finds no memory", problem);
        return NULL;
    }
    atomic_init(&identity->holders, 1);
    status = gnutls_certificate_set_x509_key_mem2(identity->credentials, chain, key,
                                                  GNUTLS_X509_FMT_PEM, NULL, 0);
    if (status >= 0) /* the index of the pair */
        return identity;
    (void)snprintf(problem, TLS_PROBLEM_MAX, "%.256s and its key cannot be used: %s", path,
                   gnutls_strerror(status));
    tls_identity_release(identity);
    return NULL;
}

static void tls_store_replace(struct tls_store *store, struct tls_identity *identity)
{
    struct tls_identity *old;

    (void)pthread_mutex_lock(&store->mutex);
    old = store->current;
    store->current = identity;
    (void)pthread_mutex_unlock(&store->mutex);
    tls_identity_release(old);
}

/* A key must not stay where freed memory is handed out again. */
static void tls_forget(gnutls_datum_t *text)
{
    if (text->data)
        gnutls_memset(text->data, 0, text->size);
    free(text->data);
}

bool tls_store_read(struct tls_store *store, const char *certificate_path, const char *key_path,
                    struct tls_facts *facts, char problem[TLS_PROBLEM_MAX])
{
    gnutls_datum_t chain = {0}, key = {0};
    struct tls_identity *identity = NULL;
    mode_t chain_mode, key_mode = 0;

    if (tls_read_file(certificate_path, &chain, &chain_mode, problem) &&
        tls_read_file(key_path, &key, &key_mode, problem))
        identity = tls_identity_new(certificate_path, &chain, &key, problem);
    if (identity) {
        *facts = (struct tls_facts){.expires = tls_find_expiry(&chain),
                                    .is_key_public = (key_mode & S_IROTH) != 0};
        tls_store_replace(store, identity);
    }
    free(chain.data);
    tls_forget(&key);
    return identity != NULL;
}
