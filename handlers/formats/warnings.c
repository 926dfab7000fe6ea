#include "warnings.h"

void json_text_warnings(struct json_text *text, const struct posenc_result *result)
{
    json_text_begin_array(text);
    for (size_t i = 0; i < result->warning_count && i < POSENC_WARNINGS_MAX; i++) {
        json_text_begin_object(text);
        json_text_member_string(text, "parameter", result->warnings[i].parameter);
        json_text_member_string(text, "detail", result->warnings[i].detail);
        json_text_end_object(text);
    }
    json_text_end_array(text);
}
