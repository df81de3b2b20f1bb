/* SPDX-License-Identifier: MIT */
/* service: how well tasks are served, and what they cost. Definitions: ../README.md, "Service". */
#ifndef MSW_MECH_CAMDN_QOS_SERVICE_H
#define MSW_MECH_CAMDN_QOS_SERVICE_H

#include "mech/camdn/model.h"

/* Tasks of a network. */
typedef struct camdn_served {
    double tasks, targeted, in_time, cycles, p99;
    double alone; /* cycles of one NPU without others */
} camdn_served;

/* All networks together. */
typedef struct camdn_service {
    double sla, sla_geomean; /* of tasks; of networks: NaN where none has a target */
    double stp, fairness;    /* NaN: no task */
    double networks, targeted, in_time;
    double unmet; /* networks with targets none of which was met */
} camdn_service;

camdn_service camdn_service_of(const camdn_served *networks, uint32_t count);

/* Cycles that each network of the mix takes on one NPU that has cache and memory for itself, by the
 * closed form: the same for all policies. */
void camdn_alone(const msw_task *task, double *cycles);

/* Detail rows of networks and of all. */
int camdn_add_served(const msw_task *task, const camdn_served *networks, uint32_t count, double p99,
                     msw_err *err);

/* Multiplications of a task; sets the energies of totals that hold requests, reads and traffic. */
double camdn_macs(const msw_graph_network *net);
void camdn_energy_fill(const camdn_config *config, uint32_t element_bytes, double macs,
                       double *totals);

#endif
