/* SPDX-License-Identifier: MIT */
/* engine: the registry of mechanisms, and the evaluation of one point at any fidelity. */
#ifndef MEMSWEEP_MECH_ENGINE_H
#define MEMSWEEP_MECH_ENGINE_H

#include "memsweep/mech/mechanism.h"

/* "analytic", "sampled", "full". */
const char *msw_fidelity_name(msw_fidelity fidelity);

/* ---- the registry: one line per mechanism in src/mech/list.h ---- */

extern const msw_mech *const msw_mechs[];

/* Finds a mechanism by name. Returns it, or NULL. */
const msw_mech *msw_mech_find(const char *name);

/* The version of the model that answers at a fidelity: of the closed form, or of the cycle model.
 */
int msw_mech_version(const msw_mech *mech, msw_fidelity fidelity);

/* The parts of sim that this model uses, ended by NULL. */
const msw_part *const *msw_mech_parts(const msw_mech *mech, msw_fidelity fidelity);

/* Digest of all versions an answer of this fidelity depends on: of the model, its parts and, at
 * sampled, the sampler. Returns it. */
msw_digest msw_mech_model(const msw_mech *mech, msw_fidelity fidelity);

/* Whether any artifact of the mechanism can be built from a sweep's corpus. */
bool msw_mech_has_corpus(const msw_mech *mech);

/* Whether the answer for a config depends on the corpus: it, or a reference, needs such an
 * artifact.
 */
bool msw_mech_reads_corpus(const msw_mech *mech, msw_fidelity fidelity, const void *config);

/* Checks that a record is complete and its tables are sound. Returns 0, or -1. */
int msw_mech_check(const msw_mech *mech, msw_err *err);

/* Checks all records. Returns 0, or -1. */
int msw_mechs_check(msw_err *err);

/* ---- one point ---- */

typedef enum msw_status {
    MSW_OK,
    MSW_INFEASIBLE,
    MSW_FAILED,
    MSW_TIMEOUT,
    MSW_STATUS_COUNT
} msw_status;

/* "ok", "infeasible", "failed", "timeout". */
const char *msw_status_name(msw_status status);

/* The answer for one point. */
typedef struct msw_answer {
    msw_status status;
    char reason[160];            /* "" when ok */
    char doubt[MSW_DOUBT_BYTES]; /* why an ok answer is not to be trusted; "": nothing says so */
    uint64_t measured;           /* units measured; 0 at analytic */
    uint64_t units;              /* units there are; 0 at analytic */
    uint64_t events;             /* events simulated */
    double *metrics;             /* one per metric; NaN where not defined */
    double *half_widths;         /* one per metric; 0 when exact, NaN where none is claimed */
} msw_answer;

/* The column of rows that holds the doubt. */
#define MSW_DOUBT_NAME "doubt"

/* Evaluates one point; `answer->metrics` and `half_widths` are the caller's memory. The task's
 * product and artifacts are fetched from its source. Never fails: what goes wrong is the answer. */
void msw_mech_evaluate(msw_task *task, msw_answer *answer);

/* Index of the largest cause of the cycle stack. Returns a metric index, or -1 without a stack. */
int msw_mech_bound_by(const msw_mech *mech, const double *metrics);

/* The column of a sweep's view that names it. */
#define MSW_BOUND_RESOURCE "bound_resource"

/* Index of the largest lower bound of the cycles. Returns a metric index, or -1 where there is
 * none above 0. */
int msw_mech_bound_resource(const msw_metric_map *map, const double *metrics);

/* ---- what an evaluation is given ---- */

/* What helps a build: behind msw_task_each, msw_task_pause and msw_task_saved. */
typedef struct msw_build_help {
    void *context;
    void (*each)(void *context, size_t n, void (*fn)(void *context, size_t i), void *fn_context);
    int (*pause)(void *context, msw_flatten_fn save, const void *state, msw_err *err);
    const char *saved; /* NULL: nothing */
    size_t saved_size;
} msw_build_help;

/* How an artifact that is kept comes about. */
typedef struct msw_kept_build {
    const msw_artifact *artifact;
    msw_build_fn build; /* with `artifact` as its `extra` */
} msw_kept_build;

/* Starts the program that a mechanism without a model of its own is, and reads its answer. Returns
 * 0, -1 (MSW_ERR_UNFIT: it cannot exist), or MSW_LAUNCH_EXPIRED. */
enum { MSW_LAUNCH_EXPIRED = -2 };
typedef struct msw_launch {
    void *context;
    int (*run)(void *context, const msw_task *task, double *metrics, msw_err *err);
} msw_launch;

/* Where artifacts come from: built once per key, shared immutable. `get` blocks while another
 * thread builds the same key; each get needs one put. */
typedef struct msw_artifact_source {
    void *context;
    int (*get)(void *context, msw_digest key, msw_build_fn build, const msw_task *task,
               const void *extra, const void **root, void **handle, msw_err *err);
    void (*put)(void *context, void *handle);
    /* The same for an artifact that is kept. NULL: none is, all are built by `get`. */
    int (*get_kept)(void *context, msw_digest key, const struct msw_kept_build *kept,
                    const msw_task *task, const void **root, void **handle, msw_err *err);
} msw_artifact_source;

/* Digests made last, by use: neighbouring points mostly ask for the same artifacts, and comparing
 * a few words costs less than digesting them. Start from a zeroed struct. */
enum { MSW_MEMO_USES = 6, MSW_MEMO_WORDS = 128 };
typedef struct msw_memo {
    struct {
        size_t size; /* bytes of `words` in use */
        msw_digest key;
        uint64_t words[MSW_MEMO_WORDS];
    } uses[MSW_MEMO_USES];
} msw_memo;

/* Digest of `size` bytes; `use` distinguishes them. Returns it. */
msw_digest msw_memo_digest(msw_memo *memo, size_t use, const void *bytes, size_t size);

/* An artifact that is kept and that a point needs. */
typedef struct msw_kept_need {
    msw_digest key;
    double cost; /* expected microseconds of its build; NaN: unknown */
} msw_kept_need;

/* Lists those of a task whose map is given, at most MSW_ARTIFACTS_MAX; of a config that cannot
 * exist there are none. Returns how many. */
size_t msw_mech_kept(const msw_task *task, msw_kept_need *needs);

/* Digest of all that a task shares with others that need the same, of one whose map is given. */
msw_digest msw_mech_shared(const msw_task *task);

/* Fetches what a task shares, to have it built before points need it. Returns 0, or -1. */
int msw_mech_prepare(msw_task *task, msw_err *err);

/* Rows for detail tables, kept in the task's arena until the point is written. */
typedef struct msw_detail_row {
    struct msw_detail_row *next;
    int detail;
    double values[];
} msw_detail_row;
typedef struct msw_detail_sink {
    msw_arena *arena;
    msw_detail_row *first, **last;
    size_t count;
    size_t most; /* rows of a point; 0: any number */
} msw_detail_sink;

/* The names of a metric table resolved to numbers, so that evaluating compares no strings. */
enum { MSW_METRICS_MAX = 128, MSW_ARTIFACTS_MAX = 16, MSW_DEPENDS_MAX = 256 };
enum { MSW_CHECKS_MAX = 24, MSW_CHECK_TERMS = 120 };
struct msw_metric_map {
    uint64_t id; /* of name and version */
    size_t metric_count, histogram_count, reference_count, artifact_count;
    size_t total_count, mark_count;
    int primary;
    bool derived;                 /* some metric is DERIVED */
    int least_first, least_end;   /* metric indices of the bounds, one behind the other */
    int share;                    /* metric index of the share of the largest, or -1 */
    int totals[MSW_METRICS_MAX];  /* metric index of each TOTAL */
    int marks[MSW_METRICS_MAX];   /* metric index of each TOTAL that is predicted */
    int mark_of[MSW_METRICS_MAX]; /* its number in `marks`, or -1 */
    struct {
        int num, den;  /* metric indices; for a quantile, num is the histogram */
        int reference; /* index into the record's references */
    } entries[MSW_METRICS_MAX];
    struct {
        uint64_t id, code; /* of its name; of the versions it depends on */
        size_t first, end; /* in `depends` */
    } artifacts[MSW_ARTIFACTS_MAX];
    const msw_param *depends[MSW_DEPENDS_MAX]; /* what each artifact depends on */
    /* Of each self-check, where its two sums begin among the terms, which are metric indices. */
    int16_t checks[MSW_CHECKS_MAX + 1][2], check_count;
    int16_t terms[MSW_CHECK_TERMS], term_count;
};

/* Resolves a mechanism's names. Returns 0, or -1 with the name that does not resolve. */
int msw_metric_map_init(msw_metric_map *map, const msw_mech *mech, msw_err *err);

#endif
