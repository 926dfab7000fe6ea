/* GET /v1/tables: what parameters such as table_file may name. */
#include "document.h"
#include "exchange_memory.h"
#include "handlers.h"
#include "table_store.h"

static void write_tensor(struct json_text *text, const struct table_tensor *tensor)
{
    json_text_begin_object(text);
    json_text_member_string(text, "name", tensor->name);
    json_text_member_string(text, "dtype", posenc_dtype_name(tensor->array.dtype));
    json_text_key(text, "shape");
    json_text_begin_array(text);
    for (size_t axis = 0; axis < tensor->array.rank; axis++)
        json_text_integer(text, (int64_t)tensor->array.shape[axis]);
    json_text_end_array(text);
    json_text_end_object(text);
}

static void write_file(struct json_text *text, const struct table_file *file)
{
    json_text_begin_object(text);
    json_text_member_string(text, "name", file->name);
    json_text_member_integer(text, "bytes", (int64_t)file->size);
    json_text_key(text, "tensors");
    json_text_begin_array(text);
    for (size_t i = 0; i < file->tensor_count; i++)
        write_tensor(text, &file->tensors[i]);
    json_text_end_array(text);
    json_text_end_object(text);
}

HANDLER(handle_tables)
{
    struct exchange *exchange = response->exchange;
    struct json_text *text = &exchange->text;
    bool pretty;

    (void)match;
    if (!read_document_query(request, &pretty, response))
        return;
    exchange->tables = table_store_acquire(service->tables);
    json_text_begin_object(text);
    json_text_key(text, "tables");
    json_text_begin_array(text);
    for (size_t i = 0; exchange->tables && i < exchange->tables->count; i++) {
        if (!pretty)
            json_text_raw(text, "\n", 1); /* a file a line */
        write_file(text, &exchange->tables->files[i]);
    }
    json_text_end_array(text);
    json_text_end_object(text);
    (void)response_add_header(response, "Cache-Control",
                              "no-cache"); /* the next reload may change it; there is room */
    respond_json(request, pretty, response);
}
