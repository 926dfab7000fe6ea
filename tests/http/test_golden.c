/* Every golden request, over HTTP, against the running server. */
#include <criterion/criterion.h>

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

Test(golden, configurations_resolve_to_what_their_models_do)
{
    check("resolve_facts", 52);
}

Test(golden, errors_name_the_parameter_at_fault)
{
    check("errors", 224);
}
