/* Writing pieces of the OpenAPI document without the rest. */
#ifndef PIECE_H
#define PIECE_H

#include "openapi_rows.h"
#include "writing.h"

/* Writes to `written`, out of `memory`; its service and its request may be changed. */
extern struct openapi piece;
extern struct service piece_service;
extern struct request piece_request;

void piece_begin(void);

#define PIECE_SUITE(name) TestSuite(name, .init = piece_begin, .fini = writing_end)

/* What a call writes, between these brackets, as JSON. */
#define OBJECT_OF(call)                                                                            \
    (json_text_begin_object(&written), (call), json_text_end_object(&written), written_json())
#define ARRAY_OF(call)                                                                             \
    (json_text_begin_array(&written), (call), json_text_end_array(&written), written_json())

/* The whole document, as the handler writes it; lives until the test ends. */
const json_t *whole_document(void);

/* An item that is an object with that member; NULL where the array has none. */
const json_t *find_item(const json_t *array, const char *member, const char *value);

#endif
