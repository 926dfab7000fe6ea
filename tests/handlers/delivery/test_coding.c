/* Content codings by Accept-Encoding: RFC 9110, section 12.5.3. */
#include <criterion/criterion.h>

#include "coding.h"

#define NONE CODING_COUNT

static enum coding choose(const char *accept, bool is_worth_it)
{
    const struct header header = {"Accept-Encoding", accept};
    const struct request request = {.headers = &header, .header_count = accept ? 1 : 0};
    struct codings codings;
    enum coding coding;

    codings_read(&request, &codings);
    return codings_choose(&codings, is_worth_it, &coding) ? coding : NONE;
}

Test(coding, takes_what_the_client_likes_best)
{
    static const struct {
        const char *accept;
        enum coding long_text, short_text;
    } rows[] = {
        {NULL, CODING_IDENTITY, CODING_IDENTITY},
        {"", CODING_IDENTITY, CODING_IDENTITY},
        {"gzip", CODING_GZIP, CODING_IDENTITY},
        {"X-GZIP", CODING_GZIP, CODING_IDENTITY},
        {"zstd", CODING_ZSTD, CODING_IDENTITY},
        {"gzip, deflate, br, zstd", CODING_ZSTD, CODING_IDENTITY},
        {"gzip, zstd;q=0.9", CODING_GZIP, CODING_IDENTITY},
        {"gzip;q=0.5, identity", CODING_IDENTITY, CODING_IDENTITY},
        {"gzip;q=0.5, identity;q=0.2", CODING_GZIP, CODING_IDENTITY},
        {"gzip;q=0.001", CODING_GZIP, CODING_IDENTITY},
        {"br", CODING_IDENTITY, CODING_IDENTITY},
        {"*", CODING_GZIP, CODING_IDENTITY},
        {"*;q=0.5, gzip;q=0.1", CODING_IDENTITY, CODING_IDENTITY},
        {"gzip;q=0, *", CODING_IDENTITY, CODING_IDENTITY},
        {"identity;q=0", NONE, NONE},
        {"*;q=0", NONE, NONE},
        {"br, identity;q=0", NONE, NONE},
        {"identity;q=0, gzip", CODING_GZIP, CODING_GZIP},
        {"*;q=0, zstd", CODING_ZSTD, CODING_ZSTD},
        {"*;q=0, identity", CODING_IDENTITY, CODING_IDENTITY},
        {"gzip;q=nonsense", CODING_IDENTITY, CODING_IDENTITY},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        cr_expect_eq(choose(rows[i].accept, true), rows[i].long_text, "%s", rows[i].accept);
        cr_expect_eq(choose(rows[i].accept, false), rows[i].short_text, "%s", rows[i].accept);
    }
}

Test(coding, is_called_as_the_header_says_it)
{
    cr_expect_str_eq(coding_name(CODING_GZIP), "gzip");
    cr_expect_str_eq(coding_name(CODING_ZSTD), "zstd");
    cr_expect_null(coding_name(CODING_IDENTITY));
}
