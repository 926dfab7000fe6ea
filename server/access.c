#include "access.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "whole_file.h"

#define ACCESS_SCHEME "Bearer"

struct access {
    pthread_rwlock_t lock;
    struct token_list *tokens; /* owned; NULL: none were ever read */
};

struct access *access_new(void)
{
    struct access *access = calloc(1, sizeof(*access));

    if (!access)
        return NULL;
    (void)pthread_rwlock_init(&access->lock, NULL); /* cannot fail without attributes */
    return access;
}

void access_free(struct access *access)
{
    if (!access)
        return;
    (void)pthread_rwlock_destroy(&access->lock);
    free(access->tokens);
    free(access);
}

static bool access_explain(char problem[TOKEN_PROBLEM_MAX], const char *what)
{
    const size_t size = strlen(what);

    (void)snprintf(problem, TOKEN_PROBLEM_MAX, "it %s%s%s", what, what[size - 1] == ':' ? " " : "",
                   what[size - 1] == ':' ? strerror(errno) : "");
    return false;
}

/* Reads an open file whose status is known. */
static bool access_read_open(int fd, const struct stat *status, struct token_list *list,
                             char problem[TOKEN_PROBLEM_MAX])
{
    const char *fault;
    char *text;
    bool is_good;

    if (!S_ISREG(status->st_mode))
        return access_explain(problem, "is not a regular file");
    if (status->st_mode & S_IWOTH)
        return access_explain(problem, "may be written by everybody: chmod o-w");
    if (status->st_size > TOKENS_BYTES_MAX)
        return access_explain(problem, "is too large");
    text = malloc((size_t)status->st_size + 1);
    if (!text)
        return access_explain(problem, "cannot be read:");
    fault = read_whole_file(fd, status, text);
    is_good = fault ? access_explain(problem, fault)
                    : token_list_parse(text, (size_t)status->st_size, list, problem);
    free(text);
    return is_good;
}

/* A new list, or NULL with a problem. */
static struct token_list *access_load(const char *path, bool *is_public,
                                      char problem[TOKEN_PROBLEM_MAX])
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct token_list *list = NULL;
    struct stat status;

    if (fd < 0) {
        (void)access_explain(problem, "cannot be opened:");
        return NULL;
    }
    list = malloc(sizeof(*list));
    if (!list || fstat(fd, &status) != 0) {
        (void)access_explain(problem, "cannot be read:");
        goto failed;
    }
    *is_public = (status.st_mode & S_IROTH) != 0;
    if (!access_read_open(fd, &status, list, problem))
        goto failed;
    (void)close(fd);
    return list;
failed:
    free(list);
    (void)close(fd);
    return NULL;
}

bool access_read(struct access *access, const char *path, size_t *count, bool *is_public,
                 char problem[TOKEN_PROBLEM_MAX])
{
    struct token_list *const list = access_load(path, is_public, problem);
    struct token_list *old;

    if (!list)
        return false;
    *count = list->count;
    (void)pthread_rwlock_wrlock(&access->lock); /* fails only for its own holder */
    old = access->tokens;
    access->tokens = list;
    (void)pthread_rwlock_unlock(&access->lock);
    free(old);
    return true;
}

/* The token behind the scheme, whose case does not matter (RFC 9110, 11.1); or NULL. */
static const char *access_find_token(const char *authorization)
{
    const size_t scheme_size = sizeof(ACCESS_SCHEME) - 1;

    if (strncasecmp(authorization, ACCESS_SCHEME, scheme_size) != 0)
        return NULL;
    if (authorization[scheme_size] != ' ' && authorization[scheme_size] != '\0')
        return NULL;
    authorization += scheme_size;
    return authorization + strspn(authorization, " ");
}

static enum access_verdict access_judge(struct access *access, const char *text,
                                        char name[TOKEN_NAME_MAX])
{
    const size_t size = strlen(text);
    const struct token *token = NULL;

    if (!token_is_wellformed(text, size))
        return ACCESS_BAD_TOKEN;
    (void)pthread_rwlock_rdlock(&access->lock); /* fails only beyond any number of threads */
    if (access->tokens)
        token = token_list_find(access->tokens, text, size);
    if (token)
        memcpy(name, token->name, TOKEN_NAME_MAX);
    (void)pthread_rwlock_unlock(&access->lock);
    return token ? ACCESS_GRANTED : ACCESS_BAD_TOKEN;
}

enum access_verdict access_check(struct access *access, const struct request *request,
                                 char name[TOKEN_NAME_MAX])
{
    const char *authorization = NULL, *token;

    for (size_t i = 0; i < request->header_count; i++) {
        if (strcasecmp(request->headers[i].name, "Authorization") != 0)
            continue;
        if (authorization)
            return ACCESS_AMBIGUOUS;
        authorization = request->headers[i].value;
    }
    token = authorization ? access_find_token(authorization) : NULL;
    return token ? access_judge(access, token, name) : ACCESS_NO_TOKEN;
}

void access_refuse(enum access_verdict verdict, const struct request *request,
                   struct response *response)
{
    static const struct {
        unsigned status;
        const char *slug, *detail, *challenge;
    } rows[] = {
        [ACCESS_NO_TOKEN] = {401, "unauthorized",
                             "This server wants a token: send 'Authorization: Bearer TOKEN'.",
                             "Bearer realm=\"posenc\""},
        [ACCESS_BAD_TOKEN] = {401, "invalid-token", "The token is none that this server knows.",
                              "Bearer realm=\"posenc\", error=\"invalid_token\""},
        [ACCESS_AMBIGUOUS] = {400, "ambiguous-authorization", "Send one Authorization header only.",
                              "Bearer realm=\"posenc\", error=\"invalid_request\""},
    };

    assert(verdict != ACCESS_GRANTED);
    respond_problem(request, rows[verdict].status, rows[verdict].slug, rows[verdict].detail, 0,
                    response);
    (void)response_add_header(response, "WWW-Authenticate",
                              rows[verdict].challenge); /* a problem has few headers */
}
