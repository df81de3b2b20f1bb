/* SPDX-License-Identifier: MIT */
/* workload: front ends that turn a named workload into a product a cycle model can pull from, and a
 * summary an analytic model can read.
 *
 * A front end is one const record. Files it needs are read by the sweep module and handed over as
 * bytes; everything here is pure. */
#ifndef MEMSWEEP_WORKLOAD_WORKLOAD_H
#define MEMSWEEP_WORKLOAD_WORKLOAD_H

#include "memsweep/base/arena.h"
#include "memsweep/base/hash.h"
#include "memsweep/base/text.h"
#include "memsweep/param/param.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a product is; a mechanism accepts a set of them. */
typedef enum msw_product_kind {
    MSW_PRODUCT_UNITS = 1,    /* synthetic units with known totals */
    MSW_PRODUCT_TILES = 2,    /* tiles of a network, as DMA bursts */
    MSW_PRODUCT_PROGRAM = 4,  /* warps with barriers and launches */
    MSW_PRODUCT_ACCESSES = 8, /* a stream of addresses */
    MSW_PRODUCT_GRAPH = 16,   /* networks as operators and tensors, without tiles */
    MSW_PRODUCT_PAGES = 32    /* pages that warps touch */
} msw_product_kind;

/* What analytic models may know without walking the product. Zero where not applicable. */
typedef struct msw_summary {
    uint64_t units;
    uint64_t accesses;
    uint64_t bytes;
    uint64_t footprint_bytes;
    double write_share;
} msw_summary;

typedef struct msw_product {
    msw_product_kind kind;
    const void *data; /* the front end's own type, declared in its header */
    msw_summary summary;
} msw_product;

/* A file in memory. */
typedef struct msw_workload_file {
    const char *path;  /* for messages */
    const char *bytes; /* zero-terminated, as files are read */
    size_t size;
} msw_workload_file;

enum { MSW_WORKLOAD_FILES_MAX = 16 }; /* of one workload */

typedef struct msw_frontend {
    const char *name, *title;
    int version; /* part of every key */
    const msw_param *params;
    size_t config_size;
    msw_product_kind product;
    bool random;              /* the product depends on the seed */
    const char *const *names; /* workloads by name, for lists and globs; NULL at the end */
    const char *const *docs;  /* one line each, in the same order */
    const char *const *own;   /* how to use a file of your own, in lines; NULL: it takes none */
    /* Recognises a workload by name ("alexnet/b4") or, for a user's file, by its path: adjusts the
     * config and, if content comes from a file, names it in `file` (relative to the data folder
     * unless it is a user's). Returns 1 when recognised, 0 when not this front end's, -1 with
     * `err`.
     */
    int (*resolve)(const char *name, void *config, char *file, size_t file_size, msw_err *err);
    /* Reads a file's bytes into immutable content inside `arena`. NULL when no front end workload
     * needs a file. Errors name line and column. Returns 0, or -1. */
    int (*parse)(const char *file, const char *bytes, size_t size, msw_arena *arena,
                 const void **content, msw_err *err);
    /* For content of several files. With the first `count` of them given, says which one comes
     * next: its name, from the folder of the first. Returns 1, 0 when all are there, -1 with `err`.
     * NULL: the first file is all. */
    int (*further)(const char *name, const msw_workload_file *files, size_t count, char *next,
                   size_t next_size, msw_err *err);
    /* Takes the place of `parse`, and goes with `further`: makes content of all files and of what
     * the workload's name says about it, of which `settings` gets a digest (zero: it says nothing).
     * Returns 0, or -1. */
    int (*assemble)(const char *name, const msw_workload_file *files, size_t count,
                    msw_arena *arena, const void **content, msw_digest *settings, msw_err *err);
    /* Prints what is known about a workload of its own in lines for people, beyond its parameters.
     * NULL: nothing. Returns 0, or -1. */
    int (*describe)(const void *content, const void *config, msw_text *out, msw_err *err);
    /* Prints the text of a line of the program that the workload runs. NULL: it has none. */
    void (*line)(const void *content, uint64_t line, msw_text *out);
    /* Asks, when the plan is made, whether content and settings go together. NULL: they always do.
     * Returns 0, or -1. */
    int (*check)(const void *content, const void *config, msw_err *err);
    /* Builds the product inside `arena`; `seed` already mixes seed, workload and replicate. */
    int (*build)(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err);
} msw_frontend;

/* One workload of a plan. */
typedef struct msw_workload {
    char *name;
    const msw_frontend *frontend;
    void *config;      /* front end config with the name's settings applied */
    msw_digest digest; /* front end, version, content (all its files): not the settings */
    msw_arena arena;   /* owns the content */
    const void *content;
} msw_workload;

/* All front ends, ended by NULL. */
extern const msw_frontend *const msw_frontends[];

/* Finds a front end by name. Returns it, or NULL. */
const msw_frontend *msw_frontend_find(const char *name);

/* Checks all records (called once by the command line and by the tests). Returns 0, or -1. */
int msw_frontends_check(msw_err *err);

/* Finds the front end that recognises a workload name. Returns 1, 0 when none does, or -1 when its
 * settings are wrong. The rest is as with msw_workload_resolve. */
int msw_workload_recognise(const char *name, const msw_frontend **frontend, void *config,
                           char *file, size_t file_size, msw_err *err);

/* Finds the front end that recognises a workload name, fills `config` (room for the largest:
 * MSW_FRONTEND_CONFIG_MAX bytes) and `file` ("" when none is needed). Returns it, or NULL with the
 * nearest known names in `err`. */
const msw_frontend *msw_workload_resolve(const char *name, void *config, char *file,
                                         size_t file_size, msw_err *err);

/* Measures the first name of a list of workloads with commas between them. A name may have commas
 * of its own, between its settings: "blur/h=64,w=64,axpy" has two names. Returns its length. */
size_t msw_workload_name_size(const char *list);

enum { MSW_FRONTEND_CONFIG_MAX = 1024 };

/* Parses content and computes the digest of a workload whose name, front and config are set.
 * `bytes` is the file's content, NULL when none. Returns 0, or -1. */
int msw_workload_load(msw_workload *workload, const char *file, const char *bytes, size_t size,
                      msw_err *err);

/* The same for content of several files; `count` 0: it needs none. Returns 0, or -1. */
int msw_workload_load_files(msw_workload *workload, const msw_workload_file *files, size_t count,
                            msw_err *err);

/* Frees name, config and content. */
void msw_workload_free(msw_workload *workload);

#endif
