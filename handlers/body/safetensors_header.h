/*
 * The header of a safetensors file: JSON of one shape only, read token by token, since JSON readers
 * make doubles of numbers and offsets need all 64 bits.
 */
#ifndef POSENC_SAFETENSORS_HEADER_H
#define POSENC_SAFETENSORS_HEADER_H

#include "json_token.h"
#include "posenc.h"

#define SAFETENSORS_HEADER_BYTES_MAX   1048576
#define SAFETENSORS_TENSORS_MAX        1024
#define SAFETENSORS_METADATA_BYTES_MAX 65536
#define SAFETENSORS_METADATA_MAX       256 /* texts in it */

/* A text in the header, without its quotes. */
struct safetensors_text {
    const char *bytes;
    size_t size;
};

/* A tensor as the header describes it; whether that is true is left to check. */
struct safetensors_entry {
    struct safetensors_text name;
    struct posenc_array array; /* without data */
    uint64_t begin, end;       /* of its bytes, counted from the first behind the header */
    size_t offsets_at;         /* where they stand in the body */
};

struct safetensors_header {
    struct json_cursor cursor; /* over the body, from the header's first byte to its last */
    struct safetensors_entry *entries;
    size_t count;
    bool has_metadata;
};

/* Entries that a header of so many bytes can hold, at most: the room that is needed. */
size_t safetensors_entries_max(size_t header_size);

/* Reads all of the header into the entries. On a fault the cursor says what and where. */
bool read_safetensors_header(struct safetensors_header *header);

#endif
