// SPDX-License-Identifier: MIT
// The selection as a file: comma-separated values, or a sweep of exactly these configurations.
const SWEEP_CELLS = 150000; // a sweep file holds 200,000 items
const CHUNK = 50000;

function csvText(text) {
    return /[",\r\n]|^[ \t#]|[ \t]$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// Steps of a scale are no measurements: their column says so, and how to get those.
const rounded = () => columns.some((c) => c.steps);
function csvHead(total) {
    const names = ["point", ...columns.map((c) => c.name), ...(rounded() ? ["exact"] : [])].map(csvText).join(",");
    if (!rounded()) { return names + "\n"; }
    const rough = columns.filter((c) => c.steps).map((c) => c.name).join(", ");
    return `# ${count(total)} rows; where exact is 0, these are rounded to steps of 1/2046 of their scale: ${rough}\n`
        + `# exactly: ${report.command} -w "point IN (...)"\n${names}\n`;
}

function csvLine(row) {
    const cells = columns.map((c) => {
        const [value] = row.value(c);
        return Number.isNaN(value) ? "" : csvText(c.labels ? c.labels[value] : String(value));
    });
    return [row.point, ...cells, ...(rounded() ? [row.exact ? 1 : 0] : [])].join(",");
}

async function csvOf(filters, total) {
    const parts = [csvHead(total)];
    for (let from = 0; from < total; from += CHUNK) {
        const rows = rowsOf(await engine.ask("chunk", {filters, from, most: CHUNK}));
        parts.push(rows.map(csvLine).join("\n") + "\n");
    }
    return parts;
}

// A name as YAML: a plain word where it can be one.
function yamlText(text) {
    return /^[A-Za-z_][\w./@+-]*$/.test(text) ? text : JSON.stringify(text);
}

function yamlCell(column, row) {
    const [value] = row.value(column);
    if (column.kind === "flag") { return value ? "on" : "off"; }
    return column.labels ? JSON.stringify(column.labels[value]) : String(value);
}

// Configurations that several workloads or replicates share are listed once. Returns the text, or why
// there is none.
async function sweepOf(filters, total, fidelity) {
    const factors = columns.filter((c) => c.role === "factor");
    if (!total) { return {why: "nothing is selected"}; }
    if (total * factors.length > 4 * SWEEP_CELLS) { return {why: "too many for a sweep file: select fewer"}; }
    const rows = rowsOf(await engine.ask("chunk", {filters, from: 0, most: total}));
    const missing = report.left_out.map(([name]) => name).filter((name) => report.factors.includes(name));
    if (missing.length) { return {why: `the page does not have ${missing.join(", ")} of all rows`}; }
    const rough = factors.filter((c) => c.steps && rows.some((r) => r.value(c)[1]));
    const point = (row) => factors.filter((c) => row.code(c)).map((c) => `${yamlText(c.name)}: ${yamlCell(c, row)}`).join(", ");
    const points = [...new Set(rows.map(point))];
    if (points.length * factors.length > SWEEP_CELLS) { return {why: "too many for a sweep file: select fewer"}; }
    const workload = columnOf.get("workload");
    const used = workload ? [...new Set(rows.map((r) => workload.labels[r.value(workload)[0]]))] : report.workloads;
    const note = rough.length ? [`# rounded to steps of 1/2046 of their range, near the rows chosen: ${rough.map((c) => c.name).join(", ")}`] : [];
    return {text: [`# ${points.length} of the configurations of ${JSON.stringify(report.sweep).slice(1, -1)}, chosen in its report`, ...note,
        `sweep: ${yamlText(`${report.sweep}-chosen`)}`,
        `mechanism: ${yamlText(report.mechanism)}`,
        `workloads: ${JSON.stringify(used)}`,
        `fidelity: ${fidelity}`,
        `${report.settings}design:`,
        "  kind: list",
        "  points:",
        ...points.map((p) => `    - {${p}}`), ""].join("\n")};
}

function save(name, type, parts) {
    const blob = new Blob(parts, {type}), address = URL.createObjectURL(blob);
    element("a", {href: address, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    byId("exported").hidden = blob.size > 200000;
    byId("text").value = blob.size > 200000 ? "" : parts.join("");
}
