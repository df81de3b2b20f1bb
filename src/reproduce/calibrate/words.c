/* SPDX-License-Identifier: MIT */
/* Says a calibration's results in sentences. */
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/hash.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* An effective sample below which ranks are of a few settings. */
#define THIN 20.0

static void add_counts(const msw_calibration *c, msw_text *out)
{
    msw_text_add(out, "%zu settings of %zu unknowns in %zu waves%s, %zu of them at full", c->count,
                 c->unknowns, c->wave_count,
                 c->screens ? ", at the closed form first" : ", all at full", c->full_count);
    msw_text_add(out, "; %zu quantities: a true setting is ruled out with a chance of %.1f %%.\n",
                 c->quantities, 100 * msw_chance_of_cut(c->quantities));
}

static void add_idle(const msw_calibration *c, msw_text *out)
{
    if (c->paper->spread.idle)
        msw_text_add(out, "%zu further unknowns act at no point of the sweeps.\n",
                     c->paper->spread.idle);
}

static void add_waiting(const msw_calibration *c, msw_text *out)
{
    const char *before =
        "The closed form errs by half of the band or more, so these wait for full: ";
    for (size_t q = 0; c->screens && q < c->quantities; q++) {
        msw_quantity quantity = msw_calibration_quantity(c, q, MSW_CLOSED);
        if (!msw_quantity_waits(&quantity))
            continue;
        msw_text_add(out, "%s%s", before, c->paper->claims.list[c->claim[q]].id);
        before = ", ";
    }
    if (strcmp(before, ", ") == 0)
        msw_text_add(out, " (measured in %zu settings at both).\n", c->errors);
    if (c->wrongly)
        msw_text_add(out, "Of the settings that the closed form ruled out full leaves %zu.\n",
                     c->wrongly);
}

static void add_aside(const msw_calibration *c, msw_text *out)
{
    const char *before = "Nothing meets all: no setting at full meets ";
    for (size_t q = 0; q < c->quantities; q++)
        if (msw_calibration_is_aside(c, q)) {
            msw_text_add(out, "%s%s", before, c->paper->claims.list[c->claim[q]].id);
            before = ", ";
        }
    if (*before == ',')
        msw_text_add(out, " even alone. What is left, near and likely is told of the others.\n");
}

static void add_growth(const msw_calibration *c, msw_text *out)
{
    if (isfinite(c->growth))
        msw_text_add(out, "Nothing is left: discrepancies must grow by %.3g until a setting is.",
                     c->growth);
    else
        msw_text_add(out, "Nothing is left, however much discrepancies grow.");
    if (c->aside && isfinite(c->growth_of_all))
        msw_text_add(out, " With those that are met by no setting: by %.3g.", c->growth_of_all);
}

static void add_region(const msw_calibration *c, msw_text *out)
{
    if (c->left_count)
        msw_text_add(out, "%.3g %% of the prior is left (%zu settings at full).", 100 * c->share,
                     c->left_count);
    else
        add_growth(c, out);
    if (c->full_count) {
        const msw_worst *w = &c->worst[c->nearest];
        msw_text_add(out, " The setting nearest to all is %.3g deviations from %s", w->distance[0],
                     c->paper->claims.list[c->claim[w->at[0]]].id);
        msw_text_add(out, " (then %.3g and %.3g).", w->distance[1], w->distance[2]);
    }
    msw_text_add(out, "\n");
}

static void add_found(const msw_calibration *c, msw_text *out)
{
    msw_text_add(out, "%" PRIu64 " sets of up to %u quantities are met by none of %zu settings ",
                 c->unmet_found, MSW_SET_MOST, c->count - c->open);
    if (msw_calibration_proves(c))
        msw_text_add(out, "(proof: all %zu combinations were run).\n", c->count);
    else
        msw_text_add(out,
                     "(%" PRIu64 " of them aimed at such sets; not all combinations were run%s).\n",
                     c->directed, c->combinations ? " with an answer" : "");
}

static void add_sets(const msw_calibration *c, msw_text *out)
{
    if (c->open)
        msw_text_add(out,
                     "Of %zu settings that the closed form leaves full has not looked at (--full): "
                     "they count for nothing here.\n",
                     c->open);
    if (c->unmet_found)
        add_found(c, out);
    else if (c->unmet_count == 0)
        msw_text_add(out, "No set of up to %u quantities is unmet.\n", MSW_SET_MOST);
}

static void add_weights(const msw_calibration *c, msw_text *out)
{
    if (!(c->effective > 0)) {
        msw_text_add(out, "No setting has any weight.\n");
        return;
    }
    msw_text_add(out, "Weights (%s): an effective sample of %.1f%s",
                 c->stage == MSW_CLOSED ? "closed form, its error in s" : "full", c->effective,
                 c->effective < MSW_ENOUGH ? ", fewer than the 200 wanted: read them with care"
                                           : "");
    if (msw_calibration_growth(c) > 1)
        msw_text_add(out, "; discrepancies grown by %.3g, as nothing is left without",
                     msw_calibration_growth(c));
    msw_text_add(out, ".\n");
}

static void add_ask(const msw_calibration *c, msw_text *out)
{
    size_t u = msw_number_to_ask(c), claim;
    if (!msw_tells_bits(c)) {
        msw_text_add(out, "The weights rest on too few settings to say which number to ask for.\n");
        return;
    }
    if (u == c->unknowns) {
        msw_text_add(out, "No number would tell %.1f bits of a quantity.\n", MSW_NOT_IDENTIFIED);
    } else {
        double bits = msw_would_tell(c, u, &claim);
        msw_text_add(out, "The number to ask the authors for: %s; it would tell %.2f bits of %s.\n",
                     c->paper->spread.unknowns[u].param->name, bits,
                     c->paper->claims.list[claim].id);
    }
    const char *before = "Not identified: ";
    for (u = 0; c->effective > 0 && u < c->unknowns; u++)
        if (msw_learned(c, u) < MSW_NOT_IDENTIFIED) {
            msw_text_add(out, "%s%s", before, c->paper->spread.unknowns[u].param->name);
            before = ", ";
        }
    if (*before == ',')
        msw_text_add(out, ".\n");
}

static void add_held(const msw_calibration *c, msw_text *out)
{
    size_t count[MSW_VERDICT_COUNT] = {0}, wide = 0, few = 0;
    for (size_t q = 0; q < c->quantities; q++) {
        const msw_claim *claim = &c->paper->claims.list[c->claim[q]];
        msw_held_claim h = msw_predict_held(c, c->claim[q]);
        if (!h.there || *claim->depends)
            continue;
        if (h.few)
            few++;
        else if (h.narrow)
            count[msw_predicted_verdict(claim, &h.held)]++;
        else
            wide++;
    }
    msw_text_add(out,
                 "Held out, figure by figure: %zu pass, %zu miss, %zu unclear; %zu do not count, "
                 "their spread is not under half of the prior's",
                 count[MSW_PASS], count[MSW_MISS], count[MSW_UNCLEAR], wide);
    if (few)
        msw_text_add(out, ", and %zu as their effective sample is under %d", few, MSW_FEW_HELD);
    msw_text_add(out, ".\n");
}

static void add_truths(const msw_calibration *c, msw_text *out)
{
    if (!c->truths)
        return;
    double least = 1;
    for (size_t u = 0; u < c->unknowns; u++)
        least = fmin(least, c->truth_probability[u]);
    msw_text_add(out,
                 "Of %zu truths kept out of the table (median effective sample %.0f) the ranks are "
                 "%s: the least probability over the unknowns, corrected by Holm, is %.3g.\n",
                 c->truths, c->truth_effective,
                 least >= 0.05               ? "even"
                 : c->truth_effective < THIN ? "uneven, but the table is too thin to tell"
                                             : "uneven",
                 least);
}

/* Of positions and values: the same on any threads and after any interruption. */
static void add_digest(const msw_calibration *c, msw_text *out)
{
    char text[MSW_DIGEST_TEXT];
    size_t claims = c->paper->claims.count * sizeof(double);
    msw_digest digest = msw_hash_bytes(c->positions, c->count * c->unknowns * sizeof(double));
    for (int stage = 0; stage < MSW_STAGES; stage++)
        digest = msw_hash_pair(digest, msw_hash_bytes(c->values[stage], c->count * claims));
    msw_text_add(out, "Digest of the table of settings: %s.\n", msw_digest_text(digest, text));
}

void msw_calibrated_words(const msw_calibration *c, msw_text *out)
{
    add_counts(c, out);
    add_idle(c, out);
    add_waiting(c, out);
    add_aside(c, out);
    add_region(c, out);
    add_sets(c, out);
    add_weights(c, out);
    add_ask(c, out);
    add_held(c, out);
    add_truths(c, out);
    add_digest(c, out);
}
