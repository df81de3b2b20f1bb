/* The registry: one line per mechanism. */
MECH(null)
MECH(null_forward)
MECH(neummu)
MECH(htmmu)
MECH(neummu_sparse)
