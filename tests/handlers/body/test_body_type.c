#include "body_type.h"

#include <criterion/criterion.h>

Test(body_type, follows_the_media_type_and_its_charset)
{
    static const struct {
        const char *content_type;
        enum body_type type;
    } rows[] = {
        {"application/json", BODY_JSON},
        {"Application/JSON; charset=UTF-8", BODY_JSON},
        {"application/json;charset=\"utf-8\"", BODY_JSON},
        {"application/json; charset=latin1", BODY_OTHER},
        {"application/problem+json", BODY_JSON},
        {"application/+json", BODY_OTHER},
        {"text/json", BODY_OTHER},
        {"application/x-npy", BODY_NPY},
        {"APPLICATION/X-NPY; version=1", BODY_NPY},
        {"application/x-npyz", BODY_OTHER},
        {"application/vnd.safetensors", BODY_SAFETENSORS},
        {"application/octet-stream", BODY_BYTES},
        {"application/x-www-form-urlencoded", BODY_OTHER},
        {"", BODY_OTHER},
        {NULL, BODY_OTHER},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(body_type_of(rows[i].content_type), rows[i].type, "%s",
                     rows[i].content_type ? rows[i].content_type : "none");
}
