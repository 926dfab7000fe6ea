/* The explorer's files, as the assembler has put them into the program. */
#ifndef POSENC_EXPLORER_BYTES_H
#define POSENC_EXPLORER_BYTES_H

#include <stdint.h>

/* Bytes that no NUL byte ends, and how many they are. */
#define EXPLORER_BYTES(name)                                                                       \
    extern const char explorer_##name[];                                                           \
    extern const uint64_t explorer_##name##_size;

EXPLORER_BYTES(html)
EXPLORER_BYTES(css)
EXPLORER_BYTES(js)
EXPLORER_BYTES(ask_js)
EXPLORER_BYTES(catalogue_js)
EXPLORER_BYTES(config_js)
EXPLORER_BYTES(dom_js)
EXPLORER_BYTES(form_js)
EXPLORER_BYTES(problem_js)
EXPLORER_BYTES(request_js)
EXPLORER_BYTES(result_js)
EXPLORER_BYTES(rows_js)
EXPLORER_BYTES(start_js)
EXPLORER_BYTES(table_js)
EXPLORER_BYTES(view_js)

#endif
