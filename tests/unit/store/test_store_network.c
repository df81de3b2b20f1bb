/* SPDX-License-Identifier: MIT */
/* Are network file systems told from local ones? */
#include "memsweep/store/store.h"
#include "testing.h"

/* Numbers from the kernel's and the file systems' own headers (statfs(2) lists them). */
static void knows_network_file_systems(void **state)
{
    static const struct {
        unsigned long type;
        const char *name;
    } CASES[] = {{0x6969, "NFS"},      {0xFF534D42, "CIFS"},           {0x0BD00BD0, "Lustre"},
                 {0x47504653, "GPFS"}, {0xFFFFFFFF0BD00BD0, "Lustre"}, {0x00C36400, "Ceph"}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_string_equal(msw_store_network_name(CASES[i].type), CASES[i].name);
}

/* ext4, XFS, btrfs, tmpfs, overlayfs. */
static void leaves_local_file_systems_alone(void **state)
{
    static const unsigned long LOCAL[] = {0xEF53,     0x58465342, 0x9123683E,
                                          0x01021994, 0x794C7630, 0};
    (void)state;
    for (size_t i = 0; i < sizeof LOCAL / sizeof *LOCAL; i++)
        assert_null(msw_store_network_name(LOCAL[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_network_file_systems),
        cmocka_unit_test(leaves_local_file_systems_alone),
    };
    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}
