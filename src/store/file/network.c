/* SPDX-License-Identifier: MIT */
/* Is a folder on a network file system? statfs is an extension of Linux. */
#define _GNU_SOURCE

#include "memsweep/store/store.h"

#include <sys/vfs.h>

typedef struct network {
    unsigned long type; /* as statfs reports it */
    const char *name;
} network;

static const network NETWORKS[] = {
    {0x6969, "NFS"},        {0x517B, "SMB"},      {0xFE534D42, "SMB"},    {0xFF534D42, "CIFS"},
    {0x0BD00BD0, "Lustre"}, {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"}, {0xAAD7AAEA, "PanFS"},
    {0x00C36400, "Ceph"},   {0x01021997, "9P"},   {0x5346414F, "AFS"},    {0, NULL},
};

const char *msw_store_network_name(unsigned long type)
{
    const network *n = NETWORKS;
    while (n->name && n->type != (type & 0xFFFFFFFF))
        n++;
    return n->name;
}

const char *msw_store_network(const char *folder)
{
    struct statfs info;
    return statfs(folder, &info) == 0 ? msw_store_network_name((unsigned long)info.f_type) : NULL;
}
