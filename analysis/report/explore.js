// What is selected, and how all parts follow it.
const state = {
    workload: "", x: "", y: "", colour: "", axes: [],
    ranges: new Map(), // by name of a column
    all: [], picked: [],
};
const parallel = new Parallel("parallel", brushed);
const scatter = new Scatter("scatter", brushed);
const selection = new RowTable("selection", 200, show);

function inRanges(i, ranges) {
    for (const [values, low, high] of ranges) {
        const value = values[i];
        if (value === null || value < low || value > high) { return false; }
    }
    return true;
}

// The front comes last, so that it is drawn on top.
function pick() {
    const ranges = [...state.ranges].map(([name, r]) => [columnOf.get(name).values, r[0], r[1]]);
    const rows = state.all.filter((i) => inRanges(i, ranges));
    state.picked = rows.filter((i) => !onFront[i]).concat(rows.filter((i) => onFront[i]));
}

function colourOf() {
    const column = columnOf.get(state.colour);
    if (!column) { return (i) => (onFront[i] ? PALETTE[1] : PALETTE[0]); }
    if (column.labels) { return (i) => PALETTE[column.values[i] % PALETTE.length]; }
    const position = (column.log ? d3.scaleLog() : d3.scaleLinear()).domain(extentOf(column)).range([0, 0.95]);
    return (i) => (column.values[i] === null ? "#999999" : d3.interpolateViridis(position(column.values[i])));
}

function drawPicked() {
    const colour = colourOf();
    parallel.draw(state.picked, colour);
    scatter.draw(state.picked, colour);
    byId("count").value = `${count(state.picked.length)} of ${count(state.all.length)} points selected`;
}

function tabulate() {
    selection.rows = state.picked.slice().sort((a, b) => a - b);
    selection.draw();
    byId("export-note").textContent = "";
}

function brushed(ranges, done) {
    for (const [name, range] of Object.entries(ranges)) {
        if (range) { state.ranges.set(name, range); } else { state.ranges.delete(name); }
    }
    pick();
    drawPicked();
    if (done) { settle(); }
}

// After a change is finished: what is costly, and what shows the same ranges elsewhere.
function settle() {
    parallel.placeBrushes(state.ranges);
    drawRanges();
    tabulate();
}

function show(i) {
    const cells = columns.flatMap((c) => [element("dt", {title: c.doc}, ...heading(c)), element("dd", {}, textOf(c, i))]);
    byId("detail").replaceChildren(element("dl", {}, ...cells));
    parallel.mark(i);
    scatter.mark(i);
}

function hover(chart) {
    chart.place.addEventListener("mousemove", (event) => {
        const box = chart.place.getBoundingClientRect();
        const i = chart.nearest(event.clientX - box.left, event.clientY - box.top, state.picked);
        if (i >= 0) { show(i); }
    });
}

// ---- controls ----

function choices(select, names, chosen, changed) {
    byId(select).replaceChildren(...names.map(([value, text]) => element("option", {value, selected: value === chosen}, text)));
    byId(select).onchange = (event) => changed(event.target.value);
}

function rangeInput(column, end, range) {
    const set = (text) => {
        const known = (state.ranges.get(column.name) || extentOf(column)).slice();
        known[end] = text === "" ? extentOf(column)[end] : Number(text) + (column.labels ? end - 0.5 : 0);
        brushed({[column.name]: known}, true);
        byId(`range-${end}-${column.name}`).focus();
    };
    const named = {id: `range-${end}-${column.name}`, ariaLabel: `${column.name} ${end ? "to" : "from"}`,
        onchange: (event) => set(event.target.value)};
    if (!column.labels) {
        return element("input", {...named, type: "number", step: "any", value: range ? +range[end].toPrecision(6) : ""});
    }
    const level = range ? Math.round(range[end] - end + 0.5) : end * (column.labels.length - 1);
    return element("select", named, ...column.labels.map((text, k) => element("option", {value: k, selected: k === level}, text)));
}

function drawRanges() {
    const lines = state.axes.map((name) => {
        const column = columnOf.get(name), range = state.ranges.get(name);
        return element("tr", {}, element("th", {className: "text", scope: "row"}, ...heading(column)),
            element("td", {}, rangeInput(column, 0, range)), element("td", {}, rangeInput(column, 1, range)));
    });
    const head = ["axis", "from", "to"].map((text) => element("th", {className: "text", scope: "col"}, text));
    byId("ranges").replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...lines)));
}

function axisBox(column) {
    const box = element("input", {type: "checkbox", checked: state.axes.includes(column.name)});
    box.onchange = () => {
        const wanted = new Set(state.axes);
        if (box.checked) { wanted.add(column.name); } else { wanted.delete(column.name); }
        state.ranges.delete(column.name);
        state.axes = columns.map((c) => c.name).filter((name) => wanted.has(name));
        redraw();
    };
    return element("label", {}, box, " " + column.name);
}

function control() {
    const all = columns.map((c) => [c.name, c.name]);
    const set = (name) => (value) => { state[name] = value; redraw(); };
    choices("x", all, state.x, set("x"));
    choices("y", all, state.y, set("y"));
    choices("colour", [["", "front"], ...all], state.colour, set("colour"));
    choices("workload", [["", "all"], ...report.workloads.map((w) => [w, w])], state.workload, set("workload"));
    choices("fidelity", ["analytic", "sampled", "full"].map((f) => [f, f]), report.next_fidelity, () => {});
    byId("axes").replaceChildren(...columns.map(axisBox));
    byId("clear").onclick = () => { state.ranges.clear(); scatter.clear(); brushed({}, true); };
    byId("csv").onclick = () => save(`${report.sweep}-chosen.csv`, "text/csv", csvOf(selection.rows));
    byId("again").hidden = !report.runnable;
    byId("sweep").onclick = () => {
        const text = sweepOf(selection.rows, byId("fidelity").value);
        if (text) { save(`${report.sweep}-chosen.yaml`, "application/yaml", text); }
        byId("export-note").textContent = text ? "" :
            selection.rows.length ? "too many for a sweep file: select fewer" : "nothing is selected";
    };
}

function redraw() {
    const workload = columnOf.get("workload");
    const wanted = workload && state.workload ? workload.labels.indexOf(state.workload) : -1;
    state.all = d3.range(report.shown).filter((i) => wanted < 0 || workload.values[i] === wanted);
    parallel.reset(state.axes.map((name) => columnOf.get(name)), state.all);
    scatter.reset(columnOf.get(state.x), columnOf.get(state.y), state.all);
    brushed({}, true);
}

// ---- the page ----

function about() {
    byId("about").replaceChildren(...report.about.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
    plainTable("runs", "Runs", report.runs);
    plainTable("failures", "Points without an answer", report.failures);
    byId("canonical").textContent = report.canonical;
    byId("front-note").textContent = report.front_note;
    byId("thinned").textContent = report.thinned;
}

function begin() {
    const factors = columns.filter((c) => c.role === "factor");
    const goals = report.objectives.filter((name) => columnOf.has(name));
    const first = [...goals, ...factors.map((c) => c.name), ...columns.map((c) => c.name)];
    [state.x, state.y] = [first[0], first[1] || first[0]];
    state.axes = [...factors.slice(0, 8).map((c) => c.name), ...goals.slice(0, 4)];
    state.axes = state.axes.filter((name, k) => state.axes.indexOf(name) === k);
    if (state.axes.length < 2) { state.axes = first.slice(0, 2); }
    const narrow = columns.filter((c) => ["point", "workload", ...goals].includes(c.name) || c.role === "factor");
    selection.columns = narrow;
    const front = new RowTable("front", 1000, show);
    Object.assign(front, {columns: narrow, rows: report.front, by: columnOf.get(goals[0]) || null});
    about();
    control();
    redraw();
    front.draw();
    show(report.front.length ? report.front[0] : 0);
    hover(parallel);
    hover(scatter);
    window.addEventListener("resize", redraw);
}

if (report.shown) { begin(); } else { about(); }
