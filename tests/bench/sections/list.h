/* SPDX-License-Identifier: MIT */
/* The sections, in the order of the modules they measure; every mechanism has one of its own beside
 * them (list.c). SECTION(function, name, question, settings...) */
SECTION(math, "math", "What does a call of our mathematical functions cost beside the C library's?")
SECTION(containers, "containers",
        "What do arrays, tables, heaps and sorts cost beside code written by hand?",
        {"items", 4e5, 1e5, "items of each"})
SECTION(expr, "expr", "How many expressions does a thread evaluate?",
        {"rounds", 2e6, 2e5, "evaluations of each expression"})
SECTION(caches, "parts/cache", "How fast are caches, by policy and shape?",
        {"accesses", 1 << 20, 1 << 17, "accesses of each cache"})
SECTION(translation, "parts/translation", "How fast are look-ups, walkers, queues, stacks?",
        {"accesses", 1 << 20, 1 << 17, "events of each part"})
SECTION(links, "parts/link", "How fast are links with curves, shared links and meshes?",
        {"transfers", 2e6, 2e5, "transfers of each link"})
SECTION(dram, "parts/dram", "How fast is the memory, on streams that public simulators also ran?",
        {"requests", 1e6, 1e5, "requests of each stream"})
SECTION(net, "parts/net", "How fast do networks learn and answer?",
        {"batches", 6, 1, "batches of 128 samples"})
SECTION(npu, "workload/npu", "What does it cost to read a network and to cut it into tiles?")
SECTION(stream, "workload/stream",
        "What does it cost to make a stream of requests, and to read one?",
        {"requests", 4e6, 4e5, "requests made"}, {"lines", 1e6, 1e5, "lines read"})
SECTION(simt, "workload/simt", "How fast do warps run, in values and as a slice?")
SECTION(kernels, "workload/kernels", "How fast do the shipped kernels run on device memory?")
SECTION(evaluate, "engine/evaluate", "What does evaluating a point cost, apart from the model?",
        {"points", 5e5, 5e4, "points of the closed form"})
SECTION(predicted, "engine/sampler", "What do samples cost beside all units, plain and predicted?")
SECTION(neummu, "neummu/networks", "How fast does neummu answer on networks?")
SECTION(neummu_agreement, "neummu/agreement", "How near is its closed form over random configs?",
        {"configs", 30, 4, "random configs per network"})
SECTION(neummu_predicted, "neummu/predicted", "What do predicted samples of neummu save?")
SECTION(neummu_sparse, "neummu_sparse/modes", "What does a point of the sparse case study cost?",
        {"batches", 256, 32, "sparse_batches"})
SECTION(htmmu, "htmmu/streams", "How fast does htmmu answer on streams?")
SECTION(htmmu_agreement, "htmmu/agreement", "How near is its closed form over random configs?",
        {"configs", 16, 2, "random configs per workload"})
SECTION(mpu, "mpu/kernels",
        "How fast does mpu answer beside the interpreter, with some cores alone?")
SECTION(uvm_extract_all, "uvm/streams", "How fast are streams of managed memory extracted?")
SECTION(uvm_replay, "uvm/replay", "How fast are they replayed?")
SECTION(camdn, "camdn/lines", "How many lines do NPUs ask a shared cache for?")
SECTION(design, "design", "How long does a point of each design take?",
        {"points", 1e6, 1e5, "points of each design"})
SECTION(sweep, "sweep", "How fast is a sweep loaded, and are points made from their numbers?",
        {"points", 3e5, 3e4, "points made"})
SECTION(store, "store", "How fast do rows of 33 columns go into the store and come out?",
        {"rows", 3e5, 3e4, "rows"})
SECTION(merge, "merge", "How fast are eight files merged?", {"rows", 3e5, 3e4, "rows of all files"})
SECTION(engine, "engine/run", "What does the engine cost, from the sweep's text to committed rows?",
        {"factors", 8, 6, "factors of four levels"})
SECTION(pareto, "analysis/pareto", "How fast are fronts and ranks found?",
        {"rows", 1e6, 1e5, "rows"}, {"uncertain", 1e4, 2e3, "rows with intervals"})
SECTION(volume, "analysis/hypervolume", "How fast is the hypervolume found?",
        {"rows", 1e5, 1e4, "rows"})
SECTION(sensitivity, "analysis/sensitivity", "How fast are Sobol indices and a grid's parts?",
        {"base_rows", 1 << 14, 1 << 10, "rows of the base design"})
SECTION(surrogate, "analysis/surrogate", "How fast is a surrogate fitted?",
        {"rows", 10000, 1000, "rows"})
SECTION(agreement, "analysis/agreement", "How fast is Kendall's tau?", {"rows", 1e6, 1e5, "rows"})
SECTION(figure, "figure", "How fast are the scripts of figures made? (Without gnuplot.)",
        {"rows", 20000, 2000, "rows of the sweep"})
