#include "delivery.h"

#include <string.h>

#include "compress.h"
#include "conditional.h"
#include "exchange_memory.h"
#include "range.h"
#include "respond.h"

#define COMPRESSED_BYTES_MIN 1024 /* shorter bodies gain less than a packet */

/* A part of another body; read() as that one's, which works at any offset. */
struct part {
    struct source whole;
    struct byte_range range;
};

static ssize_t part_read(void *state, uint64_t offset, char *buffer, size_t size)
{
    const struct part *part = state;
    const uint64_t left = offset < part->range.count ? part->range.count - offset : 0;

    if (left == 0)
        return 0;
    return part->whole.read(part->whole.state, part->range.first + offset, buffer,
                            size < left ? size : (size_t)left);
}

static bool is_get(const struct request *request)
{
    return strcmp(request->method, "GET") == 0;
}

/* GET or HEAD: what caches may keep, and what can be asked for again. */
static bool is_kept(const struct request *request)
{
    return is_get(request) || strcmp(request->method, "HEAD") == 0;
}

/* A public response may be kept by caches in between, who would hand it to those without a token.
 */
static const char *cache_control(const struct request *request, const struct offer *offer)
{
    if (!is_kept(request))
        return "no-store";
    if (request_header(request, "Authorization"))
        return "private, max-age=86400";
    return offer->fingerprint.digits[0] ? offer->cache_control : "no-cache";
}

/* Headers that a 304 has in common with the 200. False when memory is out. */
static bool add_validators(const struct request *request, const struct offer *offer,
                           enum coding coding, struct response *response)
{
    struct exchange *exchange = response->exchange;
    char *tag;

    (void)response_add_header(response, "Vary", "Accept, Accept-Encoding"); /* there is room ... */
    (void)response_add_header(response, "Cache-Control", cache_control(request, offer));
    if (!offer->fingerprint.digits[0])
        return true;
    tag = posenc_allocate(&exchange->memory, ETAG_SIZE, 1);
    if (!tag)
        return false;
    etag_print(&offer->fingerprint, coding, tag);
    return response_add_header(response, "ETag", tag); /* ... for these and a few more */
}

static void respond_unchanged(const struct request *request, const struct offer *offer,
                              enum coding coding, struct response *response)
{
    response->status = 304;
    response->header_count = 0;
    if (coding != CODING_IDENTITY || !response->read) /* compressed, or not yet made */
        response->length = RESPONSE_LENGTH_UNKNOWN;
    response->read = NULL;
    if (!add_validators(request, offer, coding, response))
        respond_no_memory(response);
}

bool deliver_unchanged(const struct request *request, const struct offer *offer,
                       struct response *response)
{
    struct codings codings;
    char tag[ETAG_SIZE];

    if (!is_kept(request) || !offer->fingerprint.digits[0] ||
        !request_header(request, "If-None-Match"))
        return false;
    codings_read(request, &codings);
    for (enum coding coding = 0; coding < CODING_COUNT; coding++) {
        etag_print(&offer->fingerprint, coding, tag);
        if (codings.quality[coding] > 0 && has_tag(request, tag)) {
            respond_unchanged(request, offer, coding, response);
            return true;
        }
    }
    return false;
}

static void respond_beyond(const struct request *request, struct response *response)
{
    struct exchange *exchange = response->exchange;
    char *text = posenc_allocate(&exchange->memory, RANGE_TEXT_SIZE, 1);

    if (!text) {
        respond_no_memory(response);
        return;
    }
    range_print(NULL, response->length, text);
    response->header_count = 0;
    (void)response_add_header(response, "Content-Range", text); /* the first has room */
    respond_problem(request, 416, "range-not-satisfiable",
                    "Nothing of this range lies in the result; Content-Range says how many bytes "
                    "the result has.",
                    0, response);
}

static void narrow(const struct byte_range *range, struct response *response)
{
    struct exchange *exchange = response->exchange;
    struct part *part = posenc_allocate(&exchange->memory, 1, sizeof(*part));
    char *text = posenc_allocate(&exchange->memory, RANGE_TEXT_SIZE, 1);

    if (!part || !text) {
        respond_no_memory(response);
        return;
    }
    *part = (struct part){{response->read, response->state}, *range};
    range_print(range, response->length, text);
    response->status = 206;
    (void)response_add_header(response, "Content-Range", text); /* there is room */
    response->length = range->count;
    response->read = part_read;
    response->state = part;
}

/* A part of a body that can be read at any offset. */
static void deliver_ranged(const struct request *request, const struct offer *offer,
                           struct response *response)
{
    struct byte_range range;
    char tag[ETAG_SIZE];

    (void)response_add_header(response, "Accept-Ranges", "bytes"); /* a hint */
    etag_print(&offer->fingerprint, CODING_IDENTITY, tag);
    if (!is_get(request) || !may_continue(request, offer->fingerprint.digits[0] ? tag : NULL))
        return;
    switch (range_read(request, response->length, &range)) {
    case RANGE_WHOLE:
        return;
    case RANGE_PART:
        narrow(&range, response);
        return;
    case RANGE_BEYOND:
        respond_beyond(request, response);
        return;
    }
}

/* HEAD tells of a compressed body without making the compressor. */
static void deliver_compressed(const struct request *request, enum coding coding,
                               struct response *response)
{
    struct exchange *exchange = response->exchange;
    const struct source source = {response->read, response->state};

    (void)response_add_header(response, "Content-Encoding",
                              coding_name(coding)); /* there is room */
    response->length = RESPONSE_LENGTH_UNKNOWN;
    if (strcmp(request->method, "HEAD") == 0)
        return;
    /* Text shrinks to a half or less, so that a byte sent stands for two bytes made. */
    response->byte_ps = 2 * (response->byte_ps + compressor_byte_ps(coding));
    exchange->compressor = compressor_new(coding, &source, exchange->memory.watch);
    if (!exchange->compressor) {
        respond_no_memory(response);
        return;
    }
    response->read = compressor_read;
    response->state = exchange->compressor;
}

static void refuse_coding(const struct request *request, struct response *response)
{
    response->header_count = 0;
    respond_problem(request, 406, "not-acceptable",
                    "None of the content codings here, gzip, zstd and identity, is among those "
                    "that Accept-Encoding allows.",
                    0, response);
}

void deliver(const struct request *request, const struct offer *offer, struct response *response)
{
    const bool is_worth_it =
        !offer->is_binary && !offer->is_dense && response->length > COMPRESSED_BYTES_MIN;
    struct codings codings;
    enum coding coding;

    codings_read(request, &codings);
    if (!codings_choose(&codings, is_worth_it, &coding))
        refuse_coding(request, response);
    else if (deliver_unchanged(request, offer, response))
        return;
    else if (is_kept(request) && has_any(request))
        respond_unchanged(request, offer, coding, response);
    else if (!add_validators(request, offer, coding, response))
        respond_no_memory(response);
    else if (coding != CODING_IDENTITY)
        deliver_compressed(request, coding, response);
    else if (offer->is_binary && is_kept(request) && response->length != RESPONSE_LENGTH_UNKNOWN)
        deliver_ranged(request, offer, response);
}
