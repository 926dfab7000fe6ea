/* The protocol's objects, whatever the model. */
#include "openapi_inference.h"

#include <string.h>

/* Behind an answer's JSON may stand the bytes of tensors. */
static const char *const inference_types[] = {"application/json", "application/octet-stream", NULL};

#define STATE_SCHEMA(member)                                                                       \
    "{\"type\":\"object\",\"required\":[\"" member "\"],"                                          \
    "\"properties\":{\"" member "\":{\"type\":\"boolean\"}}}"

#define INFER                                                                                      \
    .schema = OPENAPI_REFERENCE("InferenceResponse"), .media_types = inference_types,              \
    .request = OPENAPI_REFERENCE("InferenceRequest")

static const struct openapi_document documents[] = {
    {.path = "/v2",
     .schema = "{\"type\":\"object\",\"required\":[\"name\",\"version\",\"extensions\"]}",
     .takes_pretty = true},
    {.path = "/v2/health/live", .schema = STATE_SCHEMA("live")},
    {.path = "/v2/health/ready", .schema = STATE_SCHEMA("ready"), .is_busy_too = true},
    {.path = "/v2/repository/index",
     .schema = OPENAPI_REFERENCE("InferenceIndex"),
     .takes_pretty = true,
     .request = "{\"type\":\"object\",\"properties\":{\"ready\":{\"type\":[\"boolean\",\"null\"]}},"
                "\"additionalProperties\":false}"},
    {.path = "/v2/models/{model}",
     .schema = OPENAPI_REFERENCE("InferenceModel"),
     .takes_pretty = true},
    {.path = "/v2/models/{model}/ready", .schema = STATE_SCHEMA("ready"), .is_busy_too = true},
    {.path = "/v2/models/{model}/infer", INFER},
    {.path = "/v2/models/{model}/versions/{version}",
     .schema = OPENAPI_REFERENCE("InferenceModel"),
     .takes_pretty = true},
    {.path = "/v2/models/{model}/versions/{version}/ready",
     .schema = STATE_SCHEMA("ready"),
     .is_busy_too = true},
    {.path = "/v2/models/{model}/versions/{version}/infer", INFER},
};

static const struct openapi_document other = {.schema = "{\"type\":\"object\"}"};

const struct openapi_document *openapi_inference_document(const char *path)
{
    for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++)
        if (strcmp(documents[i].path, path) == 0)
            return &documents[i];
    return &other;
}

static const struct openapi_part schemas[] = {
    {"InferenceParameters", "{\"type\":\"object\",\"description\":\"Numbers, truths and texts. In a"
                            " request a text is read as a query's is, and one that starts with a br"
                            "acket as JSON; in an answer lists and objects are such JSON.\",\"addit"
                            "ionalProperties\":{\"type\":[\"number\",\"boolean\",\"string\",\"array"
                            "\",\"object\",\"null\"]}}"},
    {"InferenceDatatype", "{\"enum\":[\"BOOL\",\"UINT8\",\"UINT16\",\"UINT32\",\"UINT64\",\"INT8"
                          "\",\"INT16\",\"INT32\",\"INT64\",\"FP16\",\"BF16\",\"FP32\",\"FP64\"]}"},
    {"InferenceTensorMetadata",
     "{\"type\":\"object\",\"required\":[\"name\",\"datatype\",\"shape\"],\""
     "properties\":{\"name\":{\"type\":\"string\"},\"datatype\":{\"$ref\":\""
     "#/components/schemas/InferenceDatatype\"},\"shape\":{\"type\":\"array"
     "\",\"items\":{\"type\":\"integer\",\"minimum\":-1}},\"parameters\":{\""
     "type\":\"object\"}}}"},
    {"InferenceModel", "{\"type\":\"object\",\"required\":[\"name\",\"versions\",\"platform\","
                       "\"inputs\",\"outputs\"],\"properties\":{\"name\":{\"type\":\"string\"}"
                       ",\"versions\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"p"
                       "latform\":{\"type\":\"string\"},\"inputs\":{\"type\":\"array\",\"items"
                       "\":{\"$ref\":\"#/components/schemas/InferenceTensorMetadata\"}},\"outp"
                       "uts\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/I"
                       "nferenceTensorMetadata\"}}}}"},
    {"InferenceInput", "{\"type\":\"object\",\"required\":[\"name\",\"shape\",\"datatype\"],\""
                       "properties\":{\"name\":{\"type\":\"string\"},\"shape\":{\"$ref\":\"#/c"
                       "omponents/schemas/Shape\"},\"datatype\":{\"$ref\":\"#/components/schem"
                       "as/InferenceDatatype\"},\"parameters\":{\"type\":[\"object\",\"null\"]"
                       ",\"properties\":{\"binary_data_size\":{\"type\":[\"integer\",\"null\"]"
                       ",\"minimum\":0},\"content_type\":{\"enum\":[\"np\",null]}},\"additiona"
                       "lProperties\":false},\"data\":{\"type\":[\"array\",\"null\"],\"descrip"
                       "tion\":\"Flat, or nested by the shape.\"}},\"additionalProperties\":fa"
                       "lse}"},
    {"InferenceWish", "{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":"
                      "{\"type\":\"string\"},\"parameters\":{\"type\":[\"object\",\"null\"],"
                      "\"properties\":{\"binary_data\":{\"type\":[\"boolean\",\"null\"]},\"co"
                      "ntent_type\":{\"enum\":[\"np\",null]}},\"additionalProperties\":false}"
                      "},\"additionalProperties\":false}"},
    {"InferenceRequest", "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":[\"string\",\"nu"
                         "ll\"]},\"model_name\":{\"type\":[\"string\",\"null\"]},\"model_version"
                         "\":{\"type\":[\"string\",\"null\"]},\"parameters\":{\"anyOf\":[{\"$ref"
                         "\":\"#/components/schemas/InferenceParameters\"},{\"type\":\"null\"}]}"
                         ",\"inputs\":{\"type\":[\"array\",\"null\"],\"maxItems\":256,\"items\":"
                         "{\"$ref\":\"#/components/schemas/InferenceInput\"}},\"outputs\":{\"typ"
                         "e\":[\"array\",\"null\"],\"maxItems\":8,\"items\":{\"$ref\":\"#/compon"
                         "ents/schemas/InferenceWish\"}}},\"additionalProperties\":false}"},
    {"InferenceOutput", "{\"type\":\"object\",\"required\":[\"name\",\"datatype\",\"shape\"],\""
                        "properties\":{\"name\":{\"type\":\"string\"},\"datatype\":{\"$ref\":\""
                        "#/components/schemas/InferenceDatatype\"},\"shape\":{\"$ref\":\"#/comp"
                        "onents/schemas/Shape\"},\"parameters\":{\"type\":\"object\",\"required"
                        "\":[\"binary_data_size\"],\"properties\":{\"binary_data_size\":{\"type"
                        "\":\"integer\",\"minimum\":0}}},\"data\":{\"type\":\"array\",\"descrip"
                        "tion\":\"Flat; numbers that are not finite are texts.\",\"items\":{\"a"
                        "nyOf\":[{\"type\":\"number\"},{\"enum\":[\"NaN\",\"Infinity\",\"-Infin"
                        "ity\"]}]}}},\"additionalProperties\":false}"},
    {"InferenceResponse", "{\"type\":\"object\",\"required\":[\"model_name\",\"model_version\",\""
                          "outputs\"],\"properties\":{\"model_name\":{\"type\":\"string\"},\"mode"
                          "l_version\":{\"type\":\"string\"},\"id\":{\"type\":\"string\"},\"param"
                          "eters\":{\"$ref\":\"#/components/schemas/InferenceParameters\"},\"outp"
                          "uts\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/I"
                          "nferenceOutput\"}}},\"additionalProperties\":false}"},
    {"InferenceIndex", "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"nam"
                       "e\",\"version\",\"state\",\"reason\"]}}"},
};

void openapi_write_inference_schemas(struct json_text *text)
{
    openapi_write_parts(text, schemas, sizeof(schemas) / sizeof(*schemas));
}
