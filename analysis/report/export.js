// The selection as a file: comma-separated values, or a sweep of exactly these configurations.
const SWEEP_CELLS = 150000; // a sweep file holds 200,000 items

function csvCell(column, i) {
    const value = column.values[i];
    const text = value === null ? "" : column.labels ? column.labels[value] : String(value);
    return /[",\r\n]|^[ \t#]|[ \t]$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function csvOf(rows) {
    const lines = Array.from(rows, (i) => columns.map((c) => csvCell(c, i)).join(","));
    return [columns.map((c) => c.name).join(","), ...lines, ""].join("\n");
}

function yamlCell(column, i) {
    const value = column.values[i];
    if (column.kind === "flag") { return value ? "on" : "off"; }
    return column.labels ? JSON.stringify(column.labels[value]) : String(value);
}

// A name as YAML: a plain word where it can be one.
function yamlText(text) {
    return /^[A-Za-z_][\w./@+-]*$/.test(text) ? text : JSON.stringify(text);
}

// Configurations that several workloads or replicates share are listed once. Returns null when there
// are too many.
function sweepOf(rows, fidelity) {
    const factors = columns.filter((c) => c.role === "factor");
    const point = (i) => factors.filter((c) => c.values[i] !== null)
        .map((c) => `${yamlText(c.name)}: ${yamlCell(c, i)}`).join(", ");
    const points = [...new Set(Array.from(rows, point))];
    if (!points.length || points.length * factors.length > SWEEP_CELLS) { return null; }
    const workload = columnOf.get("workload");
    const used = workload ? [...new Set(Array.from(rows, (i) => workload.labels[workload.values[i]]))] : report.workloads;
    return [`# ${points.length} of the configurations of ${JSON.stringify(report.sweep).slice(1, -1)}, chosen in its report`,
        `sweep: ${yamlText(`${report.sweep}-chosen`)}`,
        `mechanism: ${yamlText(report.mechanism)}`,
        `workloads: ${JSON.stringify(used)}`,
        `fidelity: ${fidelity}`,
        `${report.settings}design:`,
        "  kind: list",
        "  points:",
        ...points.map((p) => `    - {${p}}`), ""].join("\n");
}

function save(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], {type}));
    const link = element("a", {href: address, download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    byId("exported").hidden = text.length > 200000;
    byId("text").value = text.length > 200000 ? "" : text;
}
