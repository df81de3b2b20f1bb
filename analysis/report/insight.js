// SPDX-License-Identifier: MIT
// What the selection says: how much each factor explains of each objective, and what binds.
const NOMINAL = ["bound_by", "bound_resource", "decided_by", "workload"];

const percent = (share) => (Number.isNaN(share) ? "" : d3.format(".1%")(share));

function shareCell(share) {
    const cell = element("td", {}, percent(share));
    const width = Number.isNaN(share) ? 0 : Math.min(100, 100 * share);
    cell.style.background = `linear-gradient(to right, var(--bar) ${width}%, transparent ${width}%)`;
    return cell;
}

function drawShares(targets, factors, shares) {
    const order = factors.map((_, k) => k).sort((a, b) => (shares[0][b] || 0) - (shares[0][a] || 0));
    const head = [element("th", {className: "text", scope: "col"}, "factor"),
        ...targets.map((t) => element("th", {scope: "col"}, t.name))];
    const lines = order.map((k) => element("tr", {}, element("th", {className: "text", scope: "row", title: factors[k].doc}, factors[k].name),
        ...targets.map((_, t) => shareCell(shares[t][k]))));
    byId("shares").replaceChildren(element("table", {},
        element("caption", {}, "Share of an objective's variance that a factor explains alone, in the selection"),
        element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...lines)));
}

function tallyTable(column, {counts, onFront}, total) {
    const order = column.labels.map((_, k) => k + 1).filter((k) => counts[k]).sort((a, b) => counts[b] - counts[a]).slice(0, 20);
    const whole = onFront.reduce((a, b) => a + b, 0);
    const lines = order.map((k) => element("tr", {}, element("th", {className: "text", scope: "row"}, column.labels[k - 1]),
        shareCell(counts[k] / total), element("td", {}, count(counts[k])), whole ? shareCell(onFront[k] / whole) : element("td", {}, "")));
    const head = [column.name, "selected", "rows", "front"].map((text) => element("th", {className: "text", scope: "col"}, text));
    return element("table", {}, element("caption", {}, column.name === "bound_by" ? "What binds" : ""),
        element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...lines));
}

async function drawInsight(filters) {
    const targets = report.objectives.map((name) => columnOf.get(name)).filter((c) => c && !c.labels);
    const factors = columns.filter((c) => c.role === "factor"), nominal = NOMINAL.map((name) => columnOf.get(name)).filter((c) => c && c.labels);
    const index = (list) => list.map((c) => c.index);
    const found = await engine.ask("insight", {filters, targets: index(targets), factors: index(factors), tallies: index(nominal)});
    if (targets.length && factors.length) { drawShares(targets, factors, found.shares); }
    byId("binds").replaceChildren(...nominal.map((c, k) => tallyTable(c, found.tallies[k], found.count || 1)));
}

// What was known when the page was made.
function drawKnown() {
    const insight = report.insight, first = report.workloads.length > 1;
    const made = insight.map((part, k) => element("details", {open: k === 0},
        element("summary", {}, part.title), element("p", {className: "note"}, part.note), element("div", {className: "scroll tall", id: `known-${k}`})));
    const answers = made.splice(0, first && insight.length && insight[0].title === "Front over workloads" ? 1 : 0);
    byId("answer").replaceChildren(...answers);
    byId("known-part").hidden = !made.length;
    byId("known").replaceChildren(...made);
    insight.forEach((part, k) => plainTable(`known-${k}`, "", part.table));
}
