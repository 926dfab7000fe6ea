/*
 * The pull reader of arrays of numbers: nested brackets of JSON text straight into doubles, without
 * a tree. The text is looked at twice: once to see whether all is numbers and how many they may be,
 * once to read them into room of that size.
 */
#ifndef POSENC_NUMBER_ARRAY_H
#define POSENC_NUMBER_ARRAY_H

#include "json_token.h"
#include "posenc.h"
#include "rounded.h"

#define NUMBER_ARRAY_OPENED_MAX 32

/* What a first look tells. */
struct number_array_outline {
    bool takes_words;   /* set before: as of the cursor that will read the array */
    bool is_other;      /* it holds objects, texts, true, false or null; what follows then counts */
    size_t numbers_max; /* when it does not: numbers in it, at most */
    size_t other_at;    /* where the first of the others starts */
    size_t open_count;  /* brackets that are open there, the outermost first; they are all others */
    size_t opened[NUMBER_ARRAY_OPENED_MAX]; /* where these are */
};

/* Looks at the array whose '[' is at text[start]. What is wrong is left for the reader to find. */
void outline_number_array(const char *text, size_t size, size_t start,
                          struct number_array_outline *outline);

struct number_array {
    size_t count; /* of numbers */
    size_t rank;
    size_t shape[POSENC_RANK_MAX];
    bool is_ragged; /* rows differ in length or depth; rank and shape then say nothing */
    char path[POSENC_PATH_MAX];  /* the first row that differs, as "1" or "0.2"; on a fault the path
                                    of the number or row at fault */
    struct rounded_list rounded; /* of the numbers */
    bool no_memory;              /* the reason why reading failed */
};

/*
 * Reads the array whose '[' the cursor stands on, and leaves the cursor behind its ']'. `numbers`
 * has room for the outline's numbers_max. On a fault the cursor says what and where, unless it is
 * that `memory`, which takes the list of rounded numbers, is out.
 */
bool read_number_array(struct json_cursor *cursor, struct posenc_memory *memory, double *numbers,
                       struct number_array *array);

#endif
