/* Certificates made for a test: self-signed, for localhost and 127.0.0.1. */
#ifndef CERTIFICATES_H
#define CERTIFICATES_H

#include <criterion/criterion.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <string.h>
#include <time.h>

#define CERTIFICATE_PEM_MAX 4096

struct certificate {
    char chain[CERTIFICATE_PEM_MAX], key[CERTIFICATE_PEM_MAX]; /* PEM */
};

static inline gnutls_x509_crt_t certificate_describe(gnutls_x509_privkey_t key, long seconds)
{
    static const unsigned char loopback[] = {127, 0, 0, 1};
    unsigned char serial[8] = {0};
    const time_t now = time(NULL);
    gnutls_x509_crt_t crt;

    cr_assert_eq(gnutls_rnd(GNUTLS_RND_NONCE, serial + 1, sizeof(serial) - 1), 0);
    cr_assert_eq(gnutls_x509_crt_init(&crt), 0);
    cr_assert_eq(gnutls_x509_crt_set_key(crt, key), 0);
    cr_assert_eq(gnutls_x509_crt_set_version(crt, 3), 0);
    cr_assert_eq(gnutls_x509_crt_set_serial(crt, serial, sizeof(serial)), 0);
    cr_assert_eq(gnutls_x509_crt_set_activation_time(crt, now - 86400), 0);
    cr_assert_eq(gnutls_x509_crt_set_expiration_time(crt, now + seconds), 0);
    cr_assert_eq(gnutls_x509_crt_set_dn(crt, "CN=localhost", NULL), 0);
    cr_assert_eq(gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_DNSNAME, "localhost", 9,
                                                      GNUTLS_FSAN_SET),
                 0);
    cr_assert_eq(gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_IPADDRESS, loopback,
                                                      sizeof(loopback), GNUTLS_FSAN_APPEND),
                 0);
    cr_assert_eq(gnutls_x509_crt_set_basic_constraints(crt, 1, -1), 0);
    return crt;
}

/* A new pair that is good for so many seconds from now on; negative: it has expired. */
static inline void certificate_make(struct certificate *made, long seconds)
{
    size_t chain_size = sizeof(made->chain) - 1, key_size = sizeof(made->key) - 1;
    gnutls_x509_privkey_t key;
    gnutls_x509_crt_t crt;

    memset(made, 0, sizeof(*made));
    cr_assert_eq(gnutls_x509_privkey_init(&key), 0);
    cr_assert_eq(gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA,
                                              GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
                 0);
    crt = certificate_describe(key, seconds);
    cr_assert_eq(gnutls_x509_crt_sign2(crt, crt, key, GNUTLS_DIG_SHA256, 0), 0);
    cr_assert_eq(gnutls_x509_crt_export(crt, GNUTLS_X509_FMT_PEM, made->chain, &chain_size), 0);
    cr_assert_eq(gnutls_x509_privkey_export(key, GNUTLS_X509_FMT_PEM, made->key, &key_size), 0);
    gnutls_x509_crt_deinit(crt);
    gnutls_x509_privkey_deinit(key);
}

#endif
