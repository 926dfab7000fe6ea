/*
 * The server's certificate and key. Each connection holds those that were current when it began, so
 * that a new pair serves new connections and disturbs none that there is.
 */
#ifndef TLS_H
#define TLS_H

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define TLS_FILE_BYTES_MAX (1 << 20) /* of a certificate chain, or a key */
#define TLS_PROBLEM_MAX    1024      /* bytes of a line, with its end */

/*
 * TLS 1.3 and 1.2 with ephemeral keys and authenticated ciphers only, no finite-field groups. What
 * a client then can choose is what sslscan calls neither weak nor obsolete.
 */
#define TLS_PRIORITIES                                                                             \
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"                   \
    ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD"                     \
    ":-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:%SERVER_PRECEDENCE"

/* A certificate chain with its key; shared, read-only. */
struct tls_identity;

/* Where the identity of the moment is found. */
struct tls_store;

/* Holds no identity yet; NULL when memory is out. */
struct tls_store *tls_store_new(void);
void tls_store_free(struct tls_store *store);

/* What tls_store_read() found out, for the log. */
struct tls_facts {
    time_t expires;     /* when the server's own certificate ends; -1: unknown */
    bool is_key_public; /* everybody may read the key's file */
};

/*
 * Reads a chain, the server's own certificate first, and its key, both PEM, and puts them in the
 * place of the old ones. False, and these left as they are, when a file is not that, is written by
 * others, or the two do not belong together: problem says which and why. Any thread.
 */
bool tls_store_read(struct tls_store *store, const char *certificate_path, const char *key_path,
                    struct tls_facts *facts, char problem[TLS_PROBLEM_MAX]);

/* The identity of the moment, with a reference to release; NULL when there is none. Any thread. */
struct tls_identity *tls_store_acquire(struct tls_store *store);

/* Lets go of it; the last one frees it. NULL is nothing to let go. Any thread. */
void tls_identity_release(struct tls_identity *identity);

/* The session will show this identity, which must outlive it. False when memory is out. */
bool tls_identity_use(const struct tls_identity *identity, gnutls_session_t session);

#endif
