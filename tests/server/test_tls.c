#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "certificates.h"
#include "table_files.h"
#include "tls.h"

#define DAY 86400L

static const char *const names[] = {"cert.pem", "key.pem", NULL};
static char chain_path[TABLE_FILES_PATH_MAX + 16], key_path[TABLE_FILES_PATH_MAX + 16];
static char problem[TLS_PROBLEM_MAX];
static struct table_files files;
static struct tls_store *store;

static void setup(void)
{
    files = table_files_new();
    (void)snprintf(chain_path, sizeof(chain_path), "%s/cert.pem", files.path);
    (void)snprintf(key_path, sizeof(key_path), "%s/key.pem", files.path);
    store = tls_store_new();
    cr_assert(store);
}

static void teardown(void)
{
    tls_store_free(store);
    table_files_remove(&files, names);
}

TestSuite(tls, .init = setup, .fini = teardown);

static bool read_texts(const char *chain, const char *key, struct tls_facts *facts)
{
    table_files_write(&files, "cert.pem", chain, strlen(chain));
    table_files_write(&files, "key.pem", key, strlen(key));
    return tls_store_read(store, chain_path, key_path, facts, problem);
}

Test(tls, reads_a_pair_and_tells_when_it_ends)
{
    struct certificate pair;
    struct tls_identity *identity;
    struct tls_facts facts;
    long left;

    cr_expect_null(tls_store_acquire(store));
    certificate_make(&pair, 10 * DAY);
    cr_assert(read_texts(pair.chain, pair.key, &facts), "%s", problem);
    left = (long)(facts.expires - time(NULL));
    cr_expect(left > 10 * DAY - 60 && left <= 10 * DAY, "%ld", left);
    cr_expect_not(facts.is_key_public);
    identity = tls_store_acquire(store);
    cr_expect_not_null(identity);
    tls_identity_release(identity);
    cr_assert_eq(chmod(key_path, 0644), 0);
    cr_assert(tls_store_read(store, chain_path, key_path, &facts, problem), "%s", problem);
    cr_expect(facts.is_key_public);
    certificate_make(&pair, -60);
    cr_assert(read_texts(pair.chain, pair.key, &facts), "%s", problem);
    cr_expect_lt(facts.expires, time(NULL), "an expired one is the operator's business");
}

Test(tls, keeps_a_pair_alive_while_somebody_holds_it)
{
    struct tls_identity *first, *second;
    struct certificate pair;
    struct tls_facts facts;
    gnutls_session_t session;

    certificate_make(&pair, DAY);
    cr_assert(read_texts(pair.chain, pair.key, &facts), "%s", problem);
    first = tls_store_acquire(store);
    certificate_make(&pair, DAY);
    cr_assert(read_texts(pair.chain, pair.key, &facts), "%s", problem);
    second = tls_store_acquire(store);
    cr_expect_neq(first, second);
    cr_assert_eq(gnutls_init(&session, GNUTLS_SERVER), 0);
    cr_expect(tls_identity_use(first, session)); /* sanitizers see whether it is still there */
    gnutls_deinit(session);
    tls_identity_release(first);
    tls_identity_release(second);
    tls_identity_release(NULL);
}

Test(tls, refuses_what_is_no_pair_and_keeps_the_one_it_has)
{
    static char joined[2 * CERTIFICATE_PEM_MAX];
    struct certificate pair, other;
    struct tls_identity *before, *after;
    struct tls_facts facts;

    certificate_make(&pair, DAY);
    certificate_make(&other, DAY);
    cr_assert(read_texts(pair.chain, pair.key, &facts), "%s", problem);
    before = tls_store_acquire(store);
    (void)strcat(strcat(joined, pair.key), pair.chain);
    const struct {
        const char *chain, *key, *words;
    } rows[] = {
        {pair.chain, other.key, "and its key cannot be used: "},
        {"", pair.key, "cannot be used: "},
        {pair.chain, "", "cannot be used: "},
        {"nonsense", pair.key, "cannot be used: "},
        {pair.key, pair.chain, "cannot be used: "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_expect_not(read_texts(rows[i].chain, rows[i].key, &facts), "row %zu", i);
        cr_expect(strstr(problem, rows[i].words), "row %zu: %s", i, problem);
        cr_expect(strstr(problem, "cert.pem"), "row %zu: %s", i, problem);
    }
    cr_expect_not(tls_store_read(store, "/no/such/file", key_path, &facts, problem));
    cr_expect(strstr(problem, "/no/such/file cannot be opened: No such file"), "%s", problem);
    cr_expect_not(tls_store_read(store, "/", key_path, &facts, problem));
    cr_expect(strstr(problem, "not a regular file"), "%s", problem);
    table_files_write(&files, "cert.pem", pair.chain, strlen(pair.chain));
    table_files_write(&files, "key.pem", pair.key, strlen(pair.key));
    cr_assert_eq(chmod(key_path, 0602), 0);
    cr_expect_not(tls_store_read(store, chain_path, key_path, &facts, problem));
    cr_expect(strstr(problem, "written by everybody"), "%s", problem);
    after = tls_store_acquire(store);
    cr_expect_eq(before, after);
    tls_identity_release(before);
    tls_identity_release(after);
    /* Key and chain in one file, as some tools write them, are no fault. */
    cr_expect(read_texts(joined, joined, &facts), "%s", problem);
}

Test(tls, offers_forward_secrecy_and_authenticated_ciphers_only)
{
    gnutls_priority_t priorities;
    const unsigned *list;
    int count;

    cr_assert_eq(gnutls_priority_init(&priorities, TLS_PRIORITIES, NULL), 0);
    count = gnutls_priority_protocol_list(priorities, &list);
    for (int i = 0; i < count; i++)
        cr_expect(list[i] == GNUTLS_TLS1_2 || list[i] == GNUTLS_TLS1_3, "%u", list[i]);
    cr_expect_eq(count, 2);
    count = gnutls_priority_mac_list(priorities, &list);
    cr_expect(count == 1 && list[0] == GNUTLS_MAC_AEAD);
    count = gnutls_priority_kx_list(priorities, &list);
    for (int i = 0; i < count; i++)
        cr_expect(list[i] == GNUTLS_KX_ECDHE_ECDSA || list[i] == GNUTLS_KX_ECDHE_RSA, "%u",
                  list[i]);
    gnutls_priority_deinit(priorities);
}
