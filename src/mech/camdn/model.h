/* Private to camdn: what closed form and machine share, and the functions of the record. */
#ifndef MSW_MECH_CAMDN_MODEL_H
#define MSW_MECH_CAMDN_MODEL_H

#include "mech/camdn/config.h"
#include "mech/camdn/mapper/mapper.h"

/* Artifact: the table of each network of the mix. */
typedef struct camdn_tables {
    uint32_t count;
    const camdn_table *of[MSW_GRAPH_NETWORKS_MAX];
} camdn_tables;

extern const char *const camdn_tables_depends[];
int camdn_build_tables(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err);

enum { CAMDN_DETAIL_NETWORKS, CAMDN_DETAIL_LAYERS, CAMDN_DETAIL_SPANS };

/* The NPU of a config. */
camdn_array camdn_array_of(const camdn_config *config, int64_t element_bytes);

/* Which networks run: draws depend on seed, tenant and number alone. */
typedef struct camdn_draws {
    const msw_graph_product *mix;
    uint64_t stream;
    int64_t draw;
    double weights; /* of all networks together */
} camdn_draws;

camdn_draws camdn_draws_of(const msw_task *task);

/* Returns the network of a tenant's n-th task. */
uint32_t camdn_draw(const camdn_draws *draws, uint32_t tenant, uint64_t number);

/* Bytes of all channels per cycle. */
double camdn_memory_rate(const camdn_config *config);

/* Tenants that run at one time. */
int64_t camdn_running(const camdn_config *config);

/* Ways of a cache with tags that NPUs fill. */
int64_t camdn_tagged_ways(const camdn_config *config);

int camdn_check(const void *config, msw_err *err);
int camdn_analytic(const msw_task *task, double *metrics, msw_err *err);
int camdn_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
size_t camdn_state_bytes(const msw_task *task);
int camdn_begin(const msw_task *task, void *state, msw_err *err);
int camdn_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int camdn_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                  msw_unit_out *out, msw_err *err);
int camdn_finish(const msw_task *task, void *state, msw_err *err);
void camdn_derive(const msw_task *task, double *metrics);
double camdn_sram_bits(const void *config);
void camdn_bounds(const msw_task *task, double *metrics);
double camdn_cost(const msw_task *task);

#endif
