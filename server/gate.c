#include "gate.h"

#include <string.h>
#include <strings.h>

#define GATE_ANSWER_ROOM 2048U /* of memory_bytes that must be left for the answer's head */
#define GATE_FIELD_ROOM                                                                            \
    64U /* of memory_bytes that each header or query argument costs beside its text */
#define GATE_LENGTH_DIGITS 19U /* any number of 19 digits fits 64 bits */

/* How often the fields occur that must be unique, and the last value of each. */
struct gate_tally {
    unsigned hosts, lengths, encodings, expectations, types;
    const char *host, *length, *encoding, *expectation;
    bool has_bad_name, has_bad_value;
    size_t text_bytes;
};

/* RFC 9110, 5.6.2: what names of methods and fields are made of. */
static bool gate_is_token(const char *text)
{
    static const char others[] = "!#$%&'*+-.^_`|~";

    if (*text == '\0')
        return false;
    for (; *text; text++) {
        const char c = *text;
        const bool is_alphanumeric =
            (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

        if (!is_alphanumeric && !strchr(others, c))
            return false;
    }
    return true;
}

/* RFC 9110, 5.5: no control bytes but the tab. */
static bool gate_is_field_value(const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;

        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}

static void gate_count(struct gate_tally *tally, const struct header *header)
{
    const char *name = header->name;

    tally->has_bad_name |= !gate_is_token(name);
    tally->has_bad_value |= !gate_is_field_value(header->value);
    tally->text_bytes += strlen(name) + strlen(header->value) + GATE_FIELD_ROOM;
    if (strcasecmp(name, "Host") == 0) {
        tally->hosts++;
        tally->host = header->value;
    } else if (strcasecmp(name, "Content-Length") == 0) {
        tally->lengths++;
        tally->length = header->value;
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        tally->encodings++;
        tally->encoding = header->value;
    } else if (strcasecmp(name, "Expect") == 0) {
        tally->expectations++;
        tally->expectation = header->value;
    } else if (strcasecmp(name, "Content-Type") == 0) {
        tally->types++;
    }
}

static struct gate_tally gate_take_tally(const struct gate_head *head)
{
    struct gate_tally tally = {0};

    for (size_t i = 0; i < head->header_count && i < GATE_HEADERS_MAX; i++)
        gate_count(&tally, &head->headers[i]);
    return tally;
}

static bool gate_is_1_0(const struct gate_head *head)
{
    return strcmp(head->version, "HTTP/1.0") == 0;
}

static bool gate_finds_odd_version(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)tally;
    return strcmp(head->version, "HTTP/1.1") != 0 && !gate_is_1_0(head);
}

static bool gate_finds_odd_line(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)tally;
    return head->has_odd_request_line;
}

static bool gate_finds_odd_method(const struct gate_head *head, const struct gate_tally *tally)
{
    static const char *const methods[] = {"GET",    "HEAD",  "POST",    "PUT",
                                          "DELETE", "PATCH", "OPTIONS", "QUERY"};

    (void)tally;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (strcmp(head->method, methods[i]) == 0)
            return false;
    }
    return true;
}

/* The absolute and authority forms and "*" are for proxies and servers as a whole. */
static bool gate_finds_odd_form(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)tally;
    return head->target[0] != '/';
}

static bool gate_finds_odd_target_byte(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)tally;
    for (const char *at = head->target; *at; at++) {
        if (*at <= ' ' || *at >= 0x7f)
            return true;
    }
    return false;
}

static bool gate_is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Also refuses %00: whoever decodes it later would see a shorter text. */
static bool gate_finds_odd_escape(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)tally;
    for (const char *at = strchr(head->target, '%'); at; at = strchr(at + 1, '%')) {
        if (!gate_is_hex(at[1]) || !gate_is_hex(at[2]) || (at[1] == '0' && at[2] == '0'))
            return true;
    }
    return false;
}

static bool gate_finds_odd_name(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)head;
    return tally->has_bad_name;
}

static bool gate_finds_odd_value(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)head;
    return tally->has_bad_value;
}

static bool gate_finds_large_head(const struct gate_head *head, const struct gate_tally *tally)
{
    size_t used = tally->text_bytes + strlen(head->target) + GATE_ANSWER_ROOM;

    for (const char *at = strchr(head->target, '&'); at; at = strchr(at + 1, '&'))
        used += GATE_FIELD_ROOM;
    return head->header_count > GATE_HEADERS_MAX || used > head->memory_bytes;
}

static bool gate_finds_odd_fields(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)tally;
    return head->has_odd_fields;
}

static bool gate_is_host(const char *host)
{
    for (const char *at = host; *at; at++) {
        if (*at <= ' ' || *at >= 0x7f || strchr(",/\\?#@\"<>^`{|}", *at))
            return false;
    }
    return *host != '\0';
}

/* RFC 9112, 3.2: exactly one, and none only before HTTP/1.1. */
static bool gate_finds_odd_host(const struct gate_head *head, const struct gate_tally *tally)
{
    if (tally->hosts == 0)
        return !gate_is_1_0(head);
    return tally->hosts > 1 || !gate_is_host(tally->host);
}

/* RFC 9112, 6.3: two framings, or two lengths, are how requests are smuggled. */
static bool gate_finds_two_framings(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)head;
    return tally->lengths + tally->encodings > 1;
}

static bool gate_finds_odd_length(const struct gate_head *head, const struct gate_tally *tally)
{
    size_t digits;

    (void)head;
    if (tally->lengths == 0)
        return false;
    digits = strspn(tally->length, "0123456789");
    return digits == 0 || tally->length[digits] != '\0';
}

static bool gate_finds_huge_length(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)head;
    return tally->lengths > 0 && strlen(tally->length) > GATE_LENGTH_DIGITS;
}

static bool gate_finds_early_encoding(const struct gate_head *head, const struct gate_tally *tally)
{
    return tally->encodings > 0 && gate_is_1_0(head);
}

static bool gate_finds_odd_encoding(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)head;
    return tally->encodings > 0 && strcasecmp(tally->encoding, "chunked") != 0;
}

static bool gate_finds_two_types(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)head;
    return tally->types > 1;
}

static bool gate_finds_odd_expectation(const struct gate_head *head, const struct gate_tally *tally)
{
    (void)head;
    return tally->expectations > 1 ||
           (tally->expectations == 1 && strcasecmp(tally->expectation, "100-continue") != 0);
}

struct gate_rule {
    bool (*finds)(const struct gate_head *head, const struct gate_tally *tally);
    struct gate_refusal refusal;
};

static const struct gate_rule gate_rules[] = {
    {gate_finds_odd_version, {505, "http-version", "This server speaks HTTP/1.1 and HTTP/1.0."}},
    {gate_finds_odd_line,
     {400, "malformed-request-line",
      "The request line must be method, target and version with single blanks between them."}},
    {gate_finds_odd_method,
     {501, "unknown-method", "The method is none that this server implements."}},
    {gate_finds_odd_form, {400, "malformed-target", "The request target must begin with '/'."}},
    {gate_finds_odd_target_byte,
     {400, "malformed-target",
      "The request target may hold printable ASCII only; percent-encode everything else."}},
    {gate_finds_odd_escape,
     {400, "malformed-target",
      "Each '%' in the request target must begin an escape of two hexadecimal digits, and not "
      "%00."}},
    {gate_finds_large_head,
     {431, "head-too-large", "The request target and the headers are too large together."}},
    {gate_finds_odd_name,
     {400, "malformed-header", "A header's name holds a byte that names may not hold."}},
    {gate_finds_odd_value, {400, "malformed-header", "A header's value holds a control byte."}},
    {gate_finds_odd_fields,
     {400, "malformed-header",
      "Each header must be one line of a name, a colon and a value, without NUL bytes and without "
      "folding."}},
    {gate_finds_odd_host,
     {400, "malformed-host", "Send exactly one Host header with one host name."}},
    {gate_finds_two_framings,
     {400, "ambiguous-length",
      "Send one Content-Length or one Transfer-Encoding, never two of them."}},
    {gate_finds_odd_length,
     {400, "malformed-length", "Content-Length must be a decimal number of bytes."}},
    {gate_finds_huge_length,
     {413, "body-too-large", "Content-Length is beyond any limit; send less."}},
    {gate_finds_early_encoding,
     {400, "malformed-encoding", "HTTP/1.0 has no Transfer-Encoding; send a Content-Length."}},
    {gate_finds_odd_encoding,
     {501, "unknown-transfer-encoding", "Only the transfer encoding 'chunked' is implemented."}},
    {gate_finds_two_types, {400, "malformed-header", "Send one Content-Type header only."}},
    {gate_finds_odd_expectation,
     {417, "unknown-expectation", "The only expectation that can be met is 100-continue."}},
};

const struct gate_refusal *gate_check(const struct gate_head *head)
{
    const struct gate_tally tally = gate_take_tally(head);

    for (size_t i = 0; i < sizeof(gate_rules) / sizeof(gate_rules[0]); i++) {
        if (gate_rules[i].finds(head, &tally))
            return &gate_rules[i].refusal;
    }
    return NULL;
}

struct gate_body gate_read_body(const struct gate_head *head)
{
    const struct gate_tally tally = gate_take_tally(head);
    struct gate_body body = {.is_chunked = tally.encodings > 0,
                             .awaits_continue = tally.expectations > 0 && !gate_is_1_0(head)};

    if (body.is_chunked)
        body.content_length = UINT64_MAX;
    for (const char *at = tally.length; at && *at >= '0' && *at <= '9'; at++)
        body.content_length = body.content_length * 10 + (uint64_t)(*at - '0');
    return body;
}
