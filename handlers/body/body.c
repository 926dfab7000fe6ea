/*
 * A JSON body as a value. The scan takes the numbers out; jansson reads what is left, the envelope,
 * in which each of them stands as 0 or []; and since jansson keeps the members of an object in the
 * order of the text, the k-th 0 or [] of its tree is the k-th that was taken out.
 */
#include "body.h"

#include <jansson.h>
#include <string.h>

#include "body_scan.h"
#include "json_reserve.h"

/* The envelope. */

static size_t cut_length(const struct body_cut *cut)
{
    return cut->value.kind == POSENC_NUMBER ? 1 : 2;
}

/* The body with each cut as 0 or []; NULL when memory is out. */
static char *make_envelope(const struct body_scan *scan, size_t *size)
{
    const char *const body = scan->cursor.text;
    char *const envelope = posenc_allocate(scan->memory, scan->cursor.size, 1);
    size_t from = 0, to = 0;

    if (!envelope)
        return NULL;
    for (size_t i = 0; i < scan->cut_count; i++) {
        const struct body_cut *const cut = &scan->cuts[i];

        memcpy(envelope + to, body + from, cut->start - from);
        to += cut->start - from;
        memcpy(envelope + to, cut->value.kind == POSENC_NUMBER ? "0" : "[]", cut_length(cut));
        to += cut_length(cut);
        from = cut->end;
    }
    memcpy(envelope + to, body + from, scan->cursor.size - from);
    *size = to + scan->cursor.size - from;
    return envelope;
}

/* Where a byte of the envelope, outside of cuts, stands in the body. */
static size_t body_offset(const struct body_scan *scan, size_t offset)
{
    for (size_t i = 0; i < scan->cut_count && scan->cuts[i].start <= offset; i++)
        offset += scan->cuts[i].end - scan->cuts[i].start - cut_length(&scan->cuts[i]);
    return offset;
}

/* jansson's tree as values. */

struct conversion {
    struct posenc_memory *memory;
    const struct body_cut *next; /* the cut that the next 0 or [] stands for */
    size_t text_bytes;           /* of names and texts so far */
};

static bool convert(struct conversion *conversion, const json_t *json, struct posenc_value *value);

static const char *copy_text(struct conversion *conversion, const char *text, size_t length)
{
    char *const copy = posenc_allocate(conversion->memory, length + 1, 1);

    conversion->text_bytes += length;
    return copy ? memcpy(copy, text, length + 1) : NULL;
}

static bool convert_object(struct conversion *conversion, const json_t *json,
                           struct posenc_value *value)
{
    const size_t count = json_object_size(json);
    struct posenc_member *const members =
        posenc_allocate(conversion->memory, count, sizeof *members);
    struct posenc_member *member = members;

    if (!members)
        return false;
    /* jansson's iterators are for changing, too; nothing is changed here. */
    for (void *at = json_object_iter((json_t *)json); at;
         at = json_object_iter_next((json_t *)json, at)) {
        const char *const name = json_object_iter_key(at);

        member->name = copy_text(conversion, name, strlen(name));
        if (!member->name || !convert(conversion, json_object_iter_value(at), &member->value))
            return false;
        member++;
    }
    *value = posenc_object(members, count);
    return true;
}

static bool convert_list(struct conversion *conversion, const json_t *json,
                         struct posenc_value *value)
{
    const size_t count = json_array_size(json);
    struct posenc_value *const items = posenc_allocate(conversion->memory, count, sizeof *items);

    if (!items)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!convert(conversion, json_array_get(json, i), &items[i]))
            return false;
    }
    value->kind = POSENC_LIST;
    value->as.list = (struct posenc_list){items, count};
    return true;
}

static bool convert(struct conversion *conversion, const json_t *json, struct posenc_value *value)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return convert_object(conversion, json, value);
    case JSON_ARRAY:
        if (json_array_size(json) > 0)
            return convert_list(conversion, json, value);
        break;
    case JSON_STRING:
        *value =
            posenc_text(copy_text(conversion, json_string_value(json), json_string_length(json)));
        return value->as.text != NULL;
    case JSON_TRUE:
    case JSON_FALSE:
        *value = posenc_boolean(json_is_true(json));
        return true;
    case JSON_NULL:
        *value = posenc_null();
        return true;
    case JSON_INTEGER:
    case JSON_REAL:
        break;
    }
    *value = conversion->next++->value;
    return true;
}

/* Faults. */

static bool fail_scan(const struct body_scan *scan, struct body_problem *problem)
{
    if (scan->no_memory)
        return body_fail_memory(problem);
    (void)body_fail(problem, scan->cursor.fault_at, "%s", scan->cursor.fault);
    memcpy(problem->parameter, scan->path, sizeof problem->parameter);
    return false;
}

/* The scan has checked the grammar, so that only duplicates are left for jansson to refuse. */
static bool fail_envelope(const struct body_scan *scan, const char *envelope, size_t size,
                          const json_error_t *error, struct body_problem *problem)
{
    const size_t name_end = (size_t)error->position;
    char path[POSENC_PATH_MAX];
    size_t name_start;

    if (json_error_code(error) != json_error_duplicate_key)
        return body_fail_memory(problem);
    if (!find_name_path(envelope, size, name_end, scan->memory, &name_start, path))
        return body_fail_memory(problem);
    (void)body_fail(problem, body_offset(scan, name_start),
                    "the name \"%.*s\" stands twice in one object; remove one of the two",
                    (int)(name_end - name_start - 2), envelope + name_start + 1);
    memcpy(problem->parameter, path, sizeof problem->parameter);
    return false;
}

/* The envelope, with the cuts back in their places, as a value. */
static bool read_envelope(const struct body_scan *scan, const char *envelope, size_t size,
                          struct posenc_value *value, struct body_problem *problem)
{
    struct conversion conversion = {.memory = scan->memory, .next = scan->cuts};
    json_error_t error;
    json_t *const json =
        json_loadb(envelope, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    bool converted;

    if (!json)
        return fail_envelope(scan, envelope, size, &error, problem);
    converted = convert(&conversion, json, value);
    json_decref(json);
    /* When its buffer cannot grow, jansson 2.14 goes on without the byte that had no room. */
    if (!converted || conversion.text_bytes != scan->cursor.text_bytes)
        return body_fail_memory(problem);
    return true;
}

static bool read_body(struct body_scan *scan, struct posenc_value *value,
                      struct body_problem *problem)
{
    struct json_reserve reserve;
    char *envelope;
    size_t size;
    bool is_read;

    memset(problem, 0, sizeof *problem);
    json_skip_space(&scan->cursor);
    if (scan->cursor.at == scan->cursor.size)
        return body_fail(problem, scan->cursor.size, "the body is empty; send a JSON object");
    if (!scan_body(scan))
        return fail_scan(scan, problem);
    envelope = make_envelope(scan, &size);
    if (!envelope || !json_reserve_begin(&reserve, scan->memory->watch, size, scan->value_count))
        return body_fail_memory(problem);
    is_read = read_envelope(scan, envelope, size, value, problem);
    json_reserve_end(&reserve);
    return is_read;
}

bool read_json_body(const char *body, size_t body_size, struct posenc_memory *memory,
                    struct posenc_value *value, struct body_problem *problem)
{
    struct body_scan scan;

    body_scan_init(&scan, body, body_size, memory);
    return read_body(&scan, value, problem);
}

bool read_python_body(const char *body, size_t body_size, struct posenc_memory *memory,
                      struct posenc_value *value, struct body_problem *problem)
{
    struct body_scan scan;

    body_scan_init(&scan, body, body_size, memory);
    scan.cursor.takes_words = true;
    return read_body(&scan, value, problem);
}
