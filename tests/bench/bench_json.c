/* Goal 7: numbers to text and back, and a request of 1 024 of them, with libc and jansson beside.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "exchange.h"
#include "format.h"
#include "frame.h"
#include "subject.h"

#define ROWS    512
#define COLUMNS 128
#define NUMBERS (ROWS * COLUMNS)

/* The goals are 40 and 26 ns on a machine where snprintf takes 154. */
#define PRINT_LIMIT (40.0 / 154)
#define PARSE_LIMIT (26.0 / 154)

/* Values of a table, and their text as the server writes it. */
struct numbers {
    float values[NUMBERS];
    char *text; /* nested arrays */
    size_t size;
    char scrap[64 << 10];
};

static void copy_values(const void *plan, size_t first, size_t count, void *out)
{
    memcpy(out, ((const struct numbers *)plan)->values + first, count * sizeof(float));
}

static void write_document(struct numbers *numbers, bool keeps)
{
    const struct posenc_result result = {
        .tensor_count = 1,
        .tensors = {{.name = "x",
                     .dtype = POSENC_FLOAT32,
                     .rank = 2,
                     .shape = {ROWS, COLUMNS},
                     .count = NUMBERS,
                     .fill = copy_values,
                     .plan = numbers}},
    };
    const struct format_input input = {&result, &result.tensors[0], false, NULL};
    struct posenc_memory memory;
    struct posenc_problem problem;
    struct format_body body = {0};
    uint64_t offset = 0;
    ssize_t got;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    bench_require(format_json.open(&input, &memory, &body, &problem) == POSENC_OK, "no document");
    while ((got = body.read(body.state, offset, keeps ? numbers->text + offset : numbers->scrap,
                            sizeof numbers->scrap)) > 0)
        offset += (uint64_t)got;
    numbers->size = offset;
    posenc_memory_release(&memory);
}

static void run_document(void *state)
{
    write_document(state, false);
    bench_use(state);
}

static void run_snprintf(void *state)
{
    struct numbers *const numbers = state;

    for (size_t i = 0; i < NUMBERS; i++)
        (void)snprintf(numbers->scrap, sizeof numbers->scrap, "%.9g", (double)numbers->values[i]);
    bench_use(numbers);
}

static void run_parse(void *state)
{
    const struct numbers *const numbers = state;
    struct posenc_memory memory;
    struct posenc_value value;
    struct body_problem problem;

    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
    bench_require(read_json_body(numbers->text, numbers->size, &memory, &value, &problem),
                  "the document is not read");
    bench_use(&value);
    posenc_memory_release(&memory);
}

static void make_numbers(struct numbers *numbers)
{
    const struct posenc_member members[] = {
        {"length", posenc_number(ROWS)},
        {"dim", posenc_number(COLUMNS)},
        {"layout", posenc_text("sin_cos")},
    };
    struct subject subject;

    subject_make(&subject, "sinusoidal", "table", members, 3);
    posenc_fill(subject_tensor(&subject, "encoding"), 0, NUMBERS, numbers->values);
    subject_release(&subject);
    numbers->text = bench_allocate(NUMBERS * 32 + sizeof numbers->scrap);
    write_document(numbers, true);
}

static void measure_numbers(void)
{
    struct numbers *const numbers = bench_allocate(sizeof *numbers);

    make_numbers(numbers);

    const struct bench_side print = {run_document, numbers, NUMBERS, NULL};
    const struct bench_side parse = {run_parse, numbers, NUMBERS, NULL};
    const struct bench_side libc = {run_snprintf, numbers, NUMBERS, NULL};

    bench_at_most(7, PRINT_LIMIT, bench_pair(&print, &libc).ratio, "x",
                  "printing a float32, to snprintf's %%.9g");
    bench_at_most(7, PARSE_LIMIT, bench_pair(&parse, &libc).ratio, "x",
                  "reading a float32, to snprintf's %%.9g");
    free(numbers->text);
    free(numbers);
}

/* The request: a table of sines and cosines added to what came. */

#define LENGTH 16
#define DIM    64

static struct json_t *make_question(void)
{
    json_t *const question = json_pack("{s:s, s:[]}", "layout", "sin_cos", "x");

    for (size_t row = 0; row < LENGTH; row++) {
        json_t *const numbers = json_array();

        for (size_t i = 0; i < DIM; i++)
            (void)json_array_append_new(
                numbers, json_real((double)(float)sin(1.0 + (double)(row * DIM + i) * 0.37)));
        (void)json_array_append_new(json_object_get(question, "x"), numbers);
    }
    return question;
}

static void run_request(void *state)
{
    static const struct service service = {.body_bytes_max = 1 << 20,
                                           .result_bytes_max = (uint64_t)1 << 36,
                                           .memory_bytes_max = (size_t)1 << 28};
    static const struct header type = {"Content-Type", "application/json"};
    const char *const body = state;
    const struct request request = {.method = "POST",
                                    .path = "/v1/sinusoidal/apply",
                                    .query = "",
                                    .headers = &type,
                                    .header_count = 1,
                                    .body = body,
                                    .body_size = strlen(body),
                                    .id = "bench"};
    struct response response;
    char scrap[16 << 10];
    uint64_t offset = 0;
    ssize_t got;

    handle_request(&service, &request, &response);
    bench_require(response.status == 200, "the request is refused");
    while (offset < response.length &&
           (got = response.read(response.state, offset, scrap, sizeof scrap)) > 0)
        offset += (uint64_t)got;
    response_release(&response);
}

static json_t *answer_row(json_t *x, size_t row, const double *frequencies)
{
    json_t *const numbers = json_array();
    json_t *number;
    size_t i;

    json_array_foreach(x, i, number)
    {
        const double angle = (double)row * frequencies[i % (DIM / 2)];
        const double added = i < DIM / 2 ? sin(angle) : cos(angle);

        (void)json_array_append_new(numbers,
                                    json_real((double)(float)(json_number_value(number) + added)));
    }
    return numbers;
}

/* The same by jansson's trees and libm, with nothing checked and nothing echoed. */
static void run_jansson(void *state)
{
    json_t *const question = json_loads(state, 0, NULL), *const answer = json_pack("{s:[]}", "x");
    double frequencies[DIM / 2];
    json_t *row;
    size_t i;
    char *text;

    for (i = 0; i < DIM / 2; i++)
        frequencies[i] = pow(10000, -2.0 * (double)i / DIM);
    json_array_foreach(json_object_get(question, "x"), i, row)
    {
        (void)json_array_append_new(json_object_get(answer, "x"), answer_row(row, i, frequencies));
    }
    text = json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(9));
    bench_use(text);
    free(text);
    json_decref(question);
    json_decref(answer);
}

static void measure_request(void)
{
    json_t *const question = make_question();
    char *const body = json_dumps(question, JSON_COMPACT | JSON_REAL_PRECISION(9));

    bench_require(body != NULL, "no request");

    const struct bench_side ours = {run_request, body, 1, NULL};
    const struct bench_side peer = {run_jansson, body, 1, NULL};

    bench_at_least(7, 6, 1 / bench_pair(&ours, &peer).ratio, "x",
                   "times cheaper than jansson, a request of 1 024 numbers in and out");
    free(body);
    json_decref(question);
}

int main(void)
{
    measure_numbers();
    measure_request();
    return 0;
}
