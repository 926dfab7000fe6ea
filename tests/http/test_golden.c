/* Every golden request, over HTTP, against the running server. */
#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

static void check(const char *name, int at_least)
{
    struct posencd server = posencd_start(NULL, -1);
    int asked;
    const int failed = golden_check_file(&server, name, &asked);

    cr_expect_eq(failed, 0, "%s: %d of %d lines differ", name, failed, asked);
    cr_expect_geq(asked, at_least, "%s: only %d lines were read", name, asked);
    cr_expect_eq(posencd_stop(&server), 0);
}

Test(golden, sinusoidal_tables_are_right)
{
    check("sinusoidal", 75);
}

Test(golden, alibi_biases_are_right)
{
    check("alibi", 65);
}

Test(golden, learned_tables_are_right)
{
    check("learned", 59);
}

Test(golden, rope_frequencies_are_right)
{
    check("rope_frequencies", 184);
}

Test(golden, rope_tables_are_right)
{
    check("rope_tables", 116);
}

Test(golden, rope_rotations_are_right)
{
    check("rope_rotate", 60);
}

Test(golden, rope_scores_are_right)
{
    check("rope_scores", 33);
}

Test(golden, attention_is_right_under_any_encoding)
{
    check("attention", 38);
}

Test(golden, permutations_are_right)
{
    check("permutation", 20);
}

Test(golden, position_ids_are_right)
{
    check("positions", 8);
}

Test(golden, grids_are_right)
{
    check("sinusoidal_grid", 26);
}

Test(golden, timesteps_are_right)
{
    check("timestep", 16);
}

Test(golden, t5_buckets_are_right)
{
    check("t5", 35);
}

Test(golden, relative_encodings_are_right)
{
    check("relative", 52);
}

Test(golden, analysis_is_right)
{
    check("analysis", 17);
}

Test(golden, tensors_are_identified)
{
    check("identify", 9);
}

Test(golden, configurations_resolve_to_what_their_models_do)
{
    check("resolve_facts", 52);
}

Test(golden, errors_name_the_parameter_at_fault)
{
    check("errors", 224);
}

/* More files of the same form may lie in the folder that $GOLDEN_MORE names. */
Test(golden, further_files_are_right_where_there_are_some)
{
    const char *folder = getenv("GOLDEN_MORE");
    DIR *entries = folder ? opendir(folder) : NULL;
    const struct dirent *entry;

    if (!entries)
        cr_skip_test("$GOLDEN_MORE names no folder");
    (void)setenv("GOLDEN", folder, 1);
    while ((entry = readdir(entries)) != NULL) {
        const size_t length = strlen(entry->d_name);
        char name[64];

        if (length < 7 || length > sizeof(name) ||
            strcmp(entry->d_name + length - 6, ".jsonl") != 0)
            continue;
        (void)snprintf(name, sizeof(name), "%.*s", (int)(length - 6), entry->d_name);
        check(name, 1);
    }
    (void)closedir(entries);
}
