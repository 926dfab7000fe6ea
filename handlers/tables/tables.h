/* The operator's tables as clients see them: GET /v1/tables. */
#ifndef POSENC_TABLES_H
#define POSENC_TABLES_H

#include "handlers.h"

HANDLER(handle_tables);

#endif
