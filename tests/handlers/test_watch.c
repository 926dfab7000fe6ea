/* Handlers under a watch: estimates come first, every answer can be made again after a stop, and
 * all memory that is taken is given back. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "ask.h"
#include "packing.h"
#include "posenc.h"

struct asking {
    const char *method, *path, *query;
    const char *body; /* JSON */
    const char *accept_encoding;
    bool is_packed; /* sends the body as gzip */
};

/* Reads all of a body, and drops it; false when it ends too soon. */
static bool read_all(const struct response *response)
{
    char buffer[16384];
    uint64_t offset = 0;

    while (offset < response->length) {
        const ssize_t got = response->read(response->state, offset, buffer, sizeof(buffer));

        if (got <= 0)
            return got == 0 && response->length == RESPONSE_LENGTH_UNKNOWN;
        offset += (uint64_t)got;
    }
    return true;
}

/* The status; all memory must be given back after. */
static unsigned ask_watched(const struct asking *asking, struct account *account)
{
    const struct service service = ask_service();
    const struct posenc_watch watch = account_watch(account);
    size_t size = asking->body ? strlen(asking->body) : 0;
    char *body = asking->is_packed ? pack_gzip(asking->body, size, &size) : NULL;
    const struct header headers[] = {{"Accept-Encoding", asking->accept_encoding},
                                     {"Content-Type", "application/json"},
                                     {"Content-Encoding", asking->is_packed ? "gzip" : "identity"}};
    const struct request request = {.method = asking->method,
                                    .path = asking->path,
                                    .query = asking->query,
                                    .headers = headers,
                                    .header_count = 3,
                                    .body = body ? body : asking->body,
                                    .body_size = size,
                                    .watch = &watch,
                                    .id = "test-1"};
    struct response response;
    unsigned status;

    handle_request(&service, &request, &response);
    status = response.status;
    cr_expect(read_all(&response), "%s", asking->path);
    response_release(&response);
    cr_expect_eq(account->held, 0, "%s: %zu bytes were not given back", asking->path,
                 account->held);
    free(body);
    return status;
}

static const struct asking askings[] = {
    {"GET", "/v1/sinusoidal", "length=100&dim=64", NULL, "gzip", false},
    {"GET", "/v1/sinusoidal", "length=100&dim=64", NULL, "zstd", false},
    {"GET", "/v1/sinusoidal", "length=9&dim=8&format=png", NULL, "identity", false},
    {"GET", "/v1/sinusoidal", "length=9&dim=8&format=svg", NULL, "identity", false},
    {"GET", "/v1/sinusoidal", "length=9&dim=8&format=csv", NULL, "identity", false},
    {"GET", "/v1/rope", "length=9&dim=8&layout=half&format=safetensors", NULL, "identity", false},
    {"GET", "/v1/encodings", "", NULL, "identity", false},
    {"GET", "/v1/models/llama-3.1-8b", "pretty=true", NULL, "identity", false},
    {"POST", "/v1/rope/apply", "", "{\"layout\": \"half\", \"x\": [[1, 2, 3, 4]]}", "identity",
     true},
    {"POST", "/v1/resolve", "",
     "{\"model_type\": \"llama\", \"hidden_size\": 4096, \"num_attention_heads\": 32, "
     "\"num_hidden_layers\": 32, \"rope_theta\": 500000}",
     "identity", false},
    {"POST", "/v1/attention", "",
     "{\"encoding\": \"none\", \"causal\": false, \"q\": [[1, 2]], \"k\": [[1, 2], [3, 4]], "
     "\"v\": [[5], [6]]}",
     "identity", false},
    {"POST", "/v1/nowhere", "", "{}", "identity", false},
    {"POST", "/v1/rope/apply", "", "{\"layout\": ", "identity", false},
};

#define ASKINGS (sizeof(askings) / sizeof(*askings))

Test(watch, answers_503_wherever_memory_is_refused_and_gives_all_of_it_back)
{
    for (size_t i = 0; i < ASKINGS; i++) {
        struct account willing = ACCOUNT_OPEN;
        const unsigned status = ask_watched(&askings[i], &willing);

        cr_expect_eq(status / 100, i + 2 < ASKINGS ? 2 : 4, "%s: %u", askings[i].path, status);
        cr_assert_gt(willing.takes, 0);
        for (size_t limit = 0; limit < willing.takes; limit++) {
            struct account account = {.allowed_ns = UINT64_MAX, .take_limit = limit};
            const unsigned refused = ask_watched(&askings[i], &account);

            /* A hint such as a file's name may be left out. */
            cr_expect(refused == 503 || refused == status, "%s, growth %zu: %u", askings[i].path,
                      limit, refused);
        }
    }
}

Test(watch, answers_503_when_work_is_stopped)
{
    static const struct asking long_ones[] = {
        {"GET", "/openapi.json", "", NULL, "identity", false},
        {"GET", "/v1/encodings", "", NULL, "identity", false},
        {"GET", "/v1/sinusoidal", "length=9&dim=8&format=png", NULL, "identity", false},
        {"GET", "/v1/sinusoidal", "length=9&dim=8&format=svg", NULL, "identity", false},
    };

    for (size_t i = 0; i < sizeof(long_ones) / sizeof(*long_ones); i++) {
        struct account account = {.allowed_ns = 1000000, .take_limit = SIZE_MAX};

        cr_expect_eq(ask_watched(&long_ones[i], &account), 503, "%s %s", long_ones[i].path,
                     long_ones[i].query);
        cr_expect(account.was_stopped);
    }
}

/* A MiB of blanks is a KiB that promises to be short. */
Test(watch, asks_again_when_a_packed_body_has_become_long)
{
    enum { SIZE = 1 << 20 };
    struct account account = {.allowed_ns = 1000000, .take_limit = SIZE_MAX};
    char *const body = malloc(SIZE + 1);
    const struct asking asking = {"POST", "/v1/sinusoidal", "", body, "identity", true};

    cr_assert(body);
    memset(body, ' ', SIZE);
    body[SIZE] = '\0';
    memcpy(body, "{\"length\":1,\"dim\":2}", 20);
    cr_expect_eq(ask_watched(&asking, &account), 503);
    cr_expect(account.was_stopped);
    account = (struct account){.allowed_ns = UINT64_MAX, .take_limit = SIZE_MAX};
    cr_expect_eq(ask_watched(&asking, &account), 200);
    free(body);
}

Test(watch, is_not_stopped_when_little_is_asked)
{
    for (size_t i = 0; i < ASKINGS; i++) {
        struct account account = {.allowed_ns = 1000000, .take_limit = SIZE_MAX};
        const bool is_drawn = strstr(askings[i].query, "png") || strstr(askings[i].query, "svg");
        const bool is_long = is_drawn || strcmp(askings[i].path, "/v1/encodings") == 0;

        (void)ask_watched(&askings[i], &account);
        cr_expect_eq(account.was_stopped, is_long, "%s %s", askings[i].path, askings[i].query);
    }
}

static uint64_t byte_ps_of(const char *path, const char *query, const char *accept_encoding)
{
    const struct service service = ask_service();
    const struct header headers[] = {{"Accept-Encoding", accept_encoding}};
    const struct request request = {.method = "GET",
                                    .path = path,
                                    .query = query,
                                    .headers = headers,
                                    .header_count = 1,
                                    .id = "test-1"};
    struct response response;
    uint64_t byte_ps;

    handle_request(&service, &request, &response);
    cr_assert_eq(response.status, 200);
    byte_ps = response.byte_ps;
    response_release(&response);
    return byte_ps;
}

Test(watch, tells_what_a_byte_of_the_body_takes)
{
    const uint64_t binary = byte_ps_of("/v1/sinusoidal", "length=99&dim=64&format=npy", "identity");
    const uint64_t text = byte_ps_of("/v1/sinusoidal", "length=9999&dim=64", "identity");
    const uint64_t packed = byte_ps_of("/v1/sinusoidal", "length=9999&dim=64", "gzip");

    cr_expect_eq(binary, POSENC_ELEMENT_NS * 1000 / sizeof(float));
    cr_expect_gt(text, binary);
    cr_expect_gt(packed, 2 * text);
    cr_expect_eq(byte_ps_of("/v1/sinusoidal", "length=9&dim=8&format=png", "identity"), 0,
                 "it is made before it is read");
}
