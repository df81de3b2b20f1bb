/* The registry: one line per mechanism. */
MECH(null)
MECH(null_forward)
MECH(neummu)
MECH(neummu_sparse)
MECH(htmmu)
MECH(camdn)
MECH(template)
