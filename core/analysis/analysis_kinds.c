/* What encodings have that quantities can look at, as their rows tell it. */
#include <string.h>

#include "analysis.h"
#include "attention.h"

static const struct posenc_operation *table_of(const struct posenc_encoding *encoding)
{
    return posenc_find_operation(encoding, "table");
}

static bool gives(const struct posenc_operation *operation, const char *tensor)
{
    const struct posenc_tensor_row *row = operation ? operation->tensors : NULL;

    for (; row && row->name; row++)
        if (strcmp(row->name, tensor) == 0)
            return true;
    return false;
}

static bool takes(const struct posenc_operation *operation, const char *parameter)
{
    for (const struct posenc_parameter *const *group = operation->groups; *group; group++)
        for (const struct posenc_parameter *row = *group; row->name; row++)
            if (strcmp(row->name, parameter) == 0)
                return true;
    return false;
}

static bool is_among(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

bool posenc__has_waves(const struct posenc_encoding *encoding)
{
    return encoding->waves != NULL;
}

bool posenc__has_turning_waves(const struct posenc_encoding *encoding)
{
    return encoding->waves && posenc__attention_part_of(encoding) == POSENC__PART_ROTATES;
}

bool posenc__has_vectors(const struct posenc_encoding *encoding)
{
    return gives(table_of(encoding), "encoding");
}

bool posenc__has_bias(const struct posenc_encoding *encoding)
{
    const struct posenc_operation *table = table_of(encoding);

    return gives(table, "bias") && takes(table, "query_length") && takes(table, "key_length");
}

bool posenc__has_slopes(const struct posenc_encoding *encoding)
{
    return posenc__has_bias(encoding) && gives(table_of(encoding), "slopes");
}

bool posenc__acts_in_attention(const struct posenc_encoding *encoding)
{
    return posenc__attention_part_of(encoding) != POSENC__PART_NONE;
}

bool posenc__needs_all(const struct posenc_encoding *encoding, const char *parameter)
{
    (void)encoding;
    (void)parameter;
    return true;
}

bool posenc__needs_waves(const struct posenc_encoding *encoding, const char *parameter)
{
    return is_among(encoding->waves->needs, parameter);
}

bool posenc__needs_bias(const struct posenc_encoding *encoding, const char *parameter)
{
    (void)encoding;
    return !is_among(POSENC__NAMES("query_length", "key_length", "query_offset"), parameter);
}
