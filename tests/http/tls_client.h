/* A TLS client in small steps, for what libcurl would not do. Certificates are not looked at. */
#ifndef TLS_CLIENT_H
#define TLS_CLIENT_H

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stddef.h>

#include "posencd.h"

struct tls_client {
    int fd;
    gnutls_session_t session;
    gnutls_certificate_credentials_t credentials;
};

/* Connects and shakes hands under GnuTLS's priorities (NULL: its normal ones), offering HTTP/2 and
 * HTTP/1.1. False when the server does not agree; to be closed all the same. */
bool tls_client_open(struct tls_client *client, const struct posencd *server,
                     const char *priorities);

/* Sends the bytes, in records as large as can be; false when the connection is gone. */
bool tls_client_send(struct tls_client *client, const char *bytes, size_t size);

/* Reads until the text is there so many times, the connection ends or nothing comes for ten
 * seconds; what came, cut to size, ends in a NUL byte. True when the text came so often. */
bool tls_client_read(struct tls_client *client, const char *text, size_t times, char *reply,
                     size_t size);

void tls_client_close(struct tls_client *client);

#endif
