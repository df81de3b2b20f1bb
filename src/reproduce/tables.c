/* What came out, as tables: one per published figure for the eye, one in all for programs. */
#include "memsweep/base/table_builder.h"
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <string.h>

/* ---- cells ---- */

/* Four digits, but no exponent for what is easily read without. */
static void add_scaled(const msw_claim *claim, double value, msw_text *out)
{
    double scaled = value * msw_claim_scale(claim);
    bool large = fabs(scaled) >= 1e4 && fabs(scaled) < 1e9;
    msw_text_add(out, large ? "%.0f" : "%.4g", scaled);
    msw_text_add(out, "%s%s", *claim->unit ? " " : "", claim->unit);
}

void cli_claim_number(const msw_claim *claim, double value, msw_text *out)
{
    if (isnan(value))
        return;
    if (msw_claim_is_trend(claim))
        msw_text_add(out, "%s", value != 0 ? "yes" : "no");
    else
        add_scaled(claim, value, out);
}

void cli_claim_band(const msw_claim *claim, msw_text *out)
{
    double low = claim->low * msw_claim_scale(claim), high = claim->high * msw_claim_scale(claim);
    if (msw_claim_is_trend(claim))
        msw_text_add(out, "%s", isnan(low) ? "" : "yes");
    else if (!isnan(low) && low == high)
        msw_text_add(out, "%.4g", low);
    else if (!isnan(low) && !isnan(high))
        msw_text_add(out, "%.4g .. %.4g", low, high);
    else if (!isnan(low) || !isnan(high))
        msw_text_add(out, "%s %.4g", isnan(low) ? "<=" : ">=", isnan(low) ? high : low);
}

static void number_cell(cli_sheet *sheet, const char *column, const msw_claim *claim, double value)
{
    msw_text text = MSW_TEXT_EMPTY;
    cli_claim_number(claim, value, &text);
    cli_sheet_text(sheet, column, msw_text_str(&text));
    msw_text_free(&text);
}

static double ratio(const msw_claim *claim, const cli_answer *a)
{
    return claim->published != 0 ? a->value / claim->published : NAN;
}

/* ---- for the eye ---- */

static void ratio_cell(cli_sheet *sheet, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    cli_sheet_text(sheet, "ratio", isnan(value) ? "" : text);
}

static void add_row(cli_sheet *sheet, const msw_claim *claim, const cli_answer *a)
{
    msw_text band = MSW_TEXT_EMPTY;
    cli_claim_band(claim, &band);
    cli_sheet_row(sheet);
    cli_sheet_text(sheet, "quantity", claim->quantity);
    number_cell(sheet, "published", claim, claim->published);
    cli_sheet_text(sheet, "certainty", msw_certainty_name(claim->certainty));
    number_cell(sheet, "model", claim, a->value);
    if (a->half_width > 0)
        cli_sheet_number(sheet, "half-width", a->half_width * msw_claim_scale(claim));
    ratio_cell(sheet, ratio(claim, a));
    cli_sheet_text(sheet, "band", msw_text_str(&band));
    cli_sheet_text(sheet, "verdict", msw_judgement_name(a->verdict));
    msw_text_free(&band);
}

static void add_told(msw_text *out, const msw_claim *claim, const cli_answer *a)
{
    msw_text_add(out, "%s: ", claim->quantity);
    cli_claim_number(claim, a->value, out);
    if (a->shown)
        msw_text_add(out, "; %s", a->shown);
    msw_text_add(out, "\n");
}

static void tell_reason(void *context, const msw_claim *claim, const cli_answer *a)
{
    msw_text *out = context;
    msw_text_add(out, "    because ");
    add_told(out, claim, a);
}

static void tell_row(const cli_paper *p, const msw_claim *claim, const cli_answer *a, msw_text *out)
{
    bool deviates = a->verdict == MSW_MISS || a->verdict == MSW_UNCLEAR;
    if (!a->shown && !deviates && (a->verdict == MSW_PASS || !*claim->explain))
        return;
    msw_text_add(out, "  ");
    add_told(out, claim, a);
    if (a->verdict != MSW_PASS)
        cli_paper_explain(p, claim, tell_reason, out);
    if (a->verdict == MSW_MISS && !*claim->explain)
        msw_text_add(out, "    no experiment explains it\n");
}

void cli_paper_explain(const cli_paper *p, const msw_claim *claim, cli_explain_fn tell,
                       void *context)
{
    for (const char *at = claim->explain; *at;) {
        size_t size = strcspn(at, " ");
        const msw_claim *other = msw_claim_find(&p->claims, at, size);
        if (size && other)
            tell(context, other, &p->answers[other - p->claims.list]);
        at += size + strspn(at + size, " ");
    }
}

/* Prints the claims from `first` on that share its figure. Returns where the next figure begins. */
static size_t show_figure(const cli_paper *p, size_t first, int *code)
{
    const char *figure = p->claims.list[first].figure;
    cli_sheet sheet = {.err = p->err};
    msw_text told = MSW_TEXT_EMPTY;
    size_t i = first;
    for (; i < p->claims.count && strcmp(p->claims.list[i].figure, figure) == 0; i++) {
        const msw_claim *claim = &p->claims.list[i];
        if (!p->answers[i].wanted || claim->certainty == MSW_EXPERIMENT)
            continue;
        add_row(&sheet, claim, &p->answers[i]);
        tell_row(p, claim, &p->answers[i], &told);
    }
    if (sheet.table.rows && *code == EXIT_OK) {
        msw_report_style style = {.no_footer = true};
        printf("\n%s: %s\n", p->name, figure);
        *code = sheet.failed ? cli_fail(p->err) : cli_print_table(&sheet.table, "text", &style);
        fputs(msw_text_str(&told), stdout);
    }
    msw_text_free(&told);
    msw_table_free(&sheet.table);
    return i;
}

static void show_summary(const cli_paper *p)
{
    size_t count[MSW_VERDICT_COUNT] = {0};
    for (size_t i = 0; i < p->claims.count; i++)
        if (p->answers[i].wanted && p->claims.list[i].certainty != MSW_EXPERIMENT)
            count[p->answers[i].verdict]++;
    printf("\n%s: %zu pass, %zu miss, %zu unclear; %zu without verdict\n", p->name, count[MSW_PASS],
           count[MSW_MISS], count[MSW_UNCLEAR], count[MSW_NO_VERDICT]);
}

/* ---- for programs ---- */

static void add_flat(cli_sheet *sheet, const msw_claim *claim, const cli_answer *a)
{
    double scale = msw_claim_scale(claim);
    cli_sheet_row(sheet);
    cli_sheet_text(sheet, "id", claim->id);
    cli_sheet_text(sheet, "figure", claim->figure);
    cli_sheet_text(sheet, "quantity", claim->quantity);
    cli_sheet_text(sheet, "unit", claim->unit);
    cli_sheet_number(sheet, "published", claim->published * scale);
    cli_sheet_text(sheet, "certainty", msw_certainty_name(claim->certainty));
    cli_sheet_number(sheet, "model", a->value * scale);
    cli_sheet_number(sheet, "half_width", a->half_width * scale);
    cli_sheet_number(sheet, "ratio", ratio(claim, a));
    cli_sheet_number(sheet, "low", claim->low * scale);
    cli_sheet_number(sheet, "high", claim->high * scale);
    cli_sheet_text(sheet, "verdict", msw_judgement_name(a->verdict));
    cli_sheet_text(sheet, "shown", a->shown);
    cli_sheet_text(sheet, "explain", claim->explain);
}

static int show_flat(const cli_paper *p, const char *format)
{
    cli_sheet sheet = {.err = p->err};
    for (size_t i = 0; i < p->claims.count; i++)
        if (p->answers[i].wanted)
            add_flat(&sheet, &p->claims.list[i], &p->answers[i]);
    int code = sheet.failed ? cli_fail(p->err) : cli_print_table(&sheet.table, format, NULL);
    msw_table_free(&sheet.table);
    return code;
}

int cli_paper_show(const cli_paper *p, const char *format)
{
    int code = EXIT_OK;
    if (msw_format_find(format) != MSW_FORMAT_TEXT)
        return show_flat(p, format);
    for (size_t i = 0; i < p->claims.count;)
        i = show_figure(p, i, &code);
    show_summary(p);
    return code;
}
