/* One HTTP request by libcurl, for end-to-end tests. */
#ifndef CLIENT_H
#define CLIENT_H

#include <stddef.h>

#define CLIENT_HEADERS_MAX 8192

/* What came back. Release with client_release(). */
struct client_reply {
    long status; /* 0 when there was no reply */
    char *body;  /* ended by a NUL byte */
    size_t size;
    char headers[CLIENT_HEADERS_MAX]; /* as they came, cut */
};

struct client_request {
    const char *method;
    const char *url;
    const char *body;           /* or NULL */
    const char *const *headers; /* "Name: value", NULL-terminated; or NULL */
    const char *ca_path;        /* of certificates to trust; or NULL */
    const char *unix_path;      /* of a socket to connect to whatever the URL's host; or NULL */
};

/* Connections are kept alive between requests of one client. */
struct client;

struct client *client_new(void);
void client_free(struct client *client);

struct client_reply client_ask(struct client *client, const struct client_request *request);
void client_release(struct client_reply *reply);

/* The value of a header, in a buffer of the caller's; "" when it is not there. */
const char *client_header(const struct client_reply *reply, const char *name, char *value,
                          size_t size);

#endif
