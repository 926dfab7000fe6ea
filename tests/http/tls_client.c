#include "tls_client.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

bool tls_client_open(struct tls_client *client, const struct posencd *server,
                     const char *priorities)
{
    const gnutls_datum_t protocols[] = {{(unsigned char *)"h2", 2},
                                        {(unsigned char *)"http/1.1", 8}};

    client->fd = posencd_connect(server);
    cr_assert_eq(gnutls_init(&client->session, GNUTLS_CLIENT), 0);
    cr_assert_eq(gnutls_certificate_allocate_credentials(&client->credentials), 0);
    cr_assert_eq(
        gnutls_credentials_set(client->session, GNUTLS_CRD_CERTIFICATE, client->credentials), 0);
    cr_assert_eq(
        gnutls_priority_set_direct(client->session, priorities ? priorities : "NORMAL", NULL), 0,
        "%s", priorities);
    cr_assert_eq(gnutls_alpn_set_protocols(client->session, protocols, 2, 0), 0);
    gnutls_transport_set_int(client->session, client->fd);
    gnutls_handshake_set_timeout(client->session, GNUTLS_DEFAULT_HANDSHAKE_TIMEOUT);
    return gnutls_handshake(client->session) == GNUTLS_E_SUCCESS;
}

bool tls_client_send(struct tls_client *client, const char *bytes, size_t size)
{
    size_t sent = 0;

    while (sent < size) {
        const ssize_t now = gnutls_record_send(client->session, bytes + sent, size - sent);

        if (now < 0 && gnutls_error_is_fatal((int)now))
            return false;
        sent += now > 0 ? (size_t)now : 0;
    }
    return true;
}

static size_t count_text(const char *in, const char *text)
{
    size_t count = 0;

    for (const char *at = strstr(in, text); at; at = strstr(at + 1, text))
        count++;
    return count;
}

bool tls_client_read(struct tls_client *client, const char *text, size_t times, char *reply,
                     size_t size)
{
    size_t used = 0;

    gnutls_record_set_timeout(client->session, 30000);
    reply[0] = '\0';
    while (used + 1 < size && count_text(reply, text) < times) {
        const ssize_t got = gnutls_record_recv(client->session, reply + used, size - 1 - used);

        if (got == 0 || (got < 0 && gnutls_error_is_fatal((int)got)) || got == GNUTLS_E_TIMEDOUT ||
            got == GNUTLS_E_AGAIN)
            break;
        used += got > 0 ? (size_t)got : 0;
        reply[used] = '\0';
    }
    return count_text(reply, text) >= times;
}

void tls_client_close(struct tls_client *client)
{
    gnutls_deinit(client->session);
    gnutls_certificate_free_credentials(client->credentials);
    (void)close(client->fd);
}
