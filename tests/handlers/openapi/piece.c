#include "piece.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "router.h"

struct openapi piece;
struct service piece_service;
struct request piece_request;

void piece_begin(void)
{
    writing_begin();
    piece_service = ask_service();
    piece_request = (struct request){.method = "GET"};
    piece = (struct openapi){&written, &memory, &piece_service, &piece_request, route_at(0)};
}

const json_t *whole_document(void)
{
    struct answer answer = ask_service_with(&piece_service, "GET", "/openapi.json", NULL, NULL, 0);

    cr_assert_eq(answer.status, 200);
    json_text_raw(&written, answer.body, answer.size);
    answer_release(&answer);
    return written_json();
}

const json_t *find_item(const json_t *array, const char *member, const char *value)
{
    size_t i;
    json_t *item;

    json_array_foreach(array, i, item)
    {
        if (strcmp(look_at_text(item, member, NULL), value) == 0)
            return item;
    }
    return NULL;
}
