#include "forced_level.h"

enum posenc__level __real_posenc__level_best(void);
enum posenc__level __wrap_posenc__level_best(void);

/* The one variable that is no state of a benchmark's own: the function that reads it has no
 * parameter. POSENC__LEVEL_COUNT: the processor's best. */
static enum posenc__level forced = POSENC__LEVEL_COUNT;

void force_level(enum posenc__level level)
{
    forced = level;
}

enum posenc__level __wrap_posenc__level_best(void)
{
    return forced == POSENC__LEVEL_COUNT ? __real_posenc__level_best() : forced;
}

const char *level_name(enum posenc__level level)
{
    static const char *const names[POSENC__LEVEL_COUNT] = {
        [POSENC__PLAIN] = "plain", [POSENC__AVX2] = "AVX2", [POSENC__AVX512] = "AVX-512"};

    return names[level];
}
