/* SPDX-License-Identifier: MIT */
/* The registry: one line per mechanism. */
MECH(null)
MECH(null_forward)
MECH(neummu)
MECH(neummu_sparse)
MECH(htmmu)
MECH(mpu)
MECH(uvm)
MECH(uvm_predictor)
MECH(camdn)
MECH(dram)
MECH(template)
