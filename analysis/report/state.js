// SPDX-License-Identifier: MIT
// What is shown and selected. All of it stands in the address, so that it outlives a reload and can be
// sent to others.
const SELECTIONS = 4;
const state = {
    workload: "", x: "", y: "", colour: "",
    axes: [],              // {name, inverted, log}
    selections: [new Map()], // by column: {range: [low, high]} or {set: [label, ...]}
    active: 0,
    pinned: [],            // points
};
const filtersOf = (k = state.active) => state.selections[k];

function addressOf() {
    const axes = state.axes.map((a) => [a.name, a.inverted ? 1 : 0, a.log]);
    return "#" + encodeURIComponent(JSON.stringify({w: state.workload, x: state.x, y: state.y, c: state.colour, a: axes,
        s: state.selections.map((f) => [...f]), k: state.active, p: state.pinned}));
}

function keepState() {
    const address = addressOf();
    if (address !== location.hash) { history.replaceState(null, "", address); }
}

const known = (name) => (columnOf.has(name) ? name : null);

function filterFrom([name, filter]) {
    const column = columnOf.get(name);
    const numbers = filter && Array.isArray(filter.range) && filter.range.length === 2 && filter.range.every(Number.isFinite);
    if (!column || !filter) { return []; }
    if (!column.labels) { return numbers ? [[name, {range: filter.range}]] : []; }
    return Array.isArray(filter.set) ? [[name, {set: filter.set.map(String)}]] : [];
}

// Whatever an address holds, only what the page has comes of it. Returns whether it said anything.
function readState() {
    let found;
    try {
        found = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    } catch {
        return false;
    }
    if (!found || typeof found !== "object") { return false; }
    state.workload = report.workloads.includes(found.w) ? found.w : "";
    state.x = known(found.x) || state.x;
    state.y = known(found.y) || state.y;
    state.colour = found.c === "" ? "" : known(found.c) || state.colour;
    if (Array.isArray(found.a)) {
        const axes = found.a.filter((a) => Array.isArray(a) && known(a[0]));
        state.axes = axes.map(([name, inverted, log]) => ({name, inverted: Boolean(inverted), log: Boolean(log)}));
    }
    if (Array.isArray(found.s) && found.s.length) {
        state.selections = found.s.slice(0, SELECTIONS).filter(Array.isArray).map((s) => new Map(s.filter(Array.isArray).flatMap(filterFrom)));
        if (!state.selections.length) { state.selections = [new Map()]; }
        state.active = Math.min(Math.max(Number(found.k) | 0, 0), state.selections.length - 1);
    }
    state.pinned = Array.isArray(found.p) ? found.p.filter(Number.isInteger).slice(0, 200) : [];
    return true;
}

// ---- filters as the worker takes them ----

function passOf(column, filter) {
    const pass = new Uint8Array(column.values.length);
    if (filter.set) {
        const wanted = new Set(filter.set);
        column.labels.forEach((text, k) => { pass[k + 1] = wanted.has(text) ? 1 : 0; });
    } else {
        const [low, high] = filter.range;
        column.values.forEach((v, k) => { pass[k] = v >= low && v <= high ? 1 : 0; });
    }
    return pass;
}

function workloadFilter() {
    const column = columnOf.get("workload");
    return state.workload && column && column.labels
        ? [{column: column.index, pass: passOf(column, {set: [state.workload]})}] : [];
}

// Of a selection, but for one column.
function passes(k = state.active, but = "") {
    const own = [...filtersOf(k)].filter(([name]) => name !== but)
        .map(([name, filter]) => ({column: columnOf.get(name).index, pass: passOf(columnOf.get(name), filter)}));
    return [...workloadFilter(), ...own];
}

const isIn = (row, filters) => filters.every(({column, pass}) => pass[row.codes[column]] === 1);
