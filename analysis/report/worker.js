// SPDX-License-Identifier: MIT
// In the worker: holds all rows and answers questions about them, so that the page never waits.
const data = {count: 0, names: [], codes: [], values: [], points: null, front: null};

async function open({body, columns, shown, points, front, pinned, exact}) {
    data.count = shown;
    data.names = columns.map((c) => c.name);
    data.values = [];
    for (const column of columns) {
        data.values.push(await valuesOf(body, column));
        data.codes.push(await unpackCodes(body, column, shown));
    }
    data.points = await unpackWholes(body, points.rows, shown);
    const list = await unpackWholes(body, front.rows, front.count);
    data.front = new Uint8Array(shown);
    list.forEach((i) => { data.front[i] = 1; });
    const known = exact && {rows: await unpackWholes(body, exact.rows, exact.count), values: []};
    for (const column of exact ? exact.columns : []) { known.values.push(await unpackDoubles(body, column.values)); }
    return {values: data.values, front: list, pinned: await unpackWholes(body, pinned.rows, pinned.count), exact: known};
}

// Rows with all their codes, one after the other.
function records(rows) {
    const width = data.codes.length, codes = new Uint16Array(rows.length * width);
    const points = new Uint32Array(rows.length), front = new Uint8Array(rows.length);
    rows.forEach((i, k) => {
        points[k] = data.points[i];
        front[k] = data.front[i];
        for (let c = 0; c < width; c++) { codes[k * width + c] = data.codes[c][i]; }
    });
    return {rows: Uint32Array.from(rows), points, front, codes};
}

function evenly(rows, most) {
    const n = rows ? rows.length : data.count, take = Math.min(n, most);
    return Array.from({length: take}, (_, k) => { const j = Math.floor(k * n / take); return rows ? rows[j] : j; });
}

// The first rows by a column; its codes rise with its values, those of labels with their texts.
function firstRows(rows, column, down, most, order) {
    if (column < 0) { return inOrder(rows, down, most); }
    const codes = data.codes[column], n = rows ? rows.length : data.count;
    const size = data.values[column].length, starts = new Uint32Array(size + 1);
    const place = (code) => (code === 0 ? size - 1 : order ? order[code - 1] : code - 1);
    const at = (code) => (code === 0 || !down ? place(code) : size - 2 - place(code));
    for (let k = 0; k < n; k++) { starts[at(codes[rows ? rows[k] : k]) + 1]++; }
    for (let c = 0; c < size; c++) { starts[c + 1] += starts[c]; }
    const out = new Array(Math.min(n, most));
    for (let k = 0; k < n; k++) {
        const i = rows ? rows[k] : k, to = starts[at(codes[i])]++;
        if (to < out.length) { out[to] = i; }
    }
    return out;
}

function inOrder(rows, down, most) {
    const n = rows ? rows.length : data.count;
    return Array.from({length: Math.min(n, most)}, (_, k) => { const j = down ? n - 1 - k : k; return rows ? rows[j] : j; });
}

// The row whose line or dot passes nearest to a place; positions by code, in pixels.
function nearest(rows, {a, b, x, y, share, reach}) {
    const one = data.codes[a.column], two = data.codes[b.column], n = rows ? rows.length : data.count;
    let best = -1, least = reach;
    for (let k = 0; k < n; k++) {
        const i = rows ? rows[k] : k, p = a.at[one[i]], q = b.at[two[i]];
        const away = share === null ? Math.hypot(p - x, q - y) : Math.abs((1 - share) * p + share * q - y);
        if (away < least) { least = away; best = i; }
    }
    return best < 0 ? null : records([best]);
}

// How much of the variance of a column another explains alone: that of the means of its levels (or of
// at most 32 ranges), less what as many levels of no effect would show.
function explained(rows, target, factor) {
    const y = data.codes[target], x = data.codes[factor], values = data.values[target];
    const size = data.values[factor].length, fold = Math.max(1, (size - 1) / 32);
    const levels = Math.ceil((size - 1) / fold) + 1, n = rows ? rows.length : data.count;
    const sums = new Float64Array(levels), counts = new Uint32Array(levels);
    let total = 0, sum = 0, squares = 0;
    const origin = values[1] || 0;
    for (let k = 0; k < n; k++) {
        const i = rows ? rows[k] : k;
        if (!y[i] || !x[i]) { continue; }
        const v = values[y[i]] - origin, level = Math.floor((x[i] - 1) / fold);
        sums[level] += v; counts[level]++;
        sum += v; squares += v * v; total++;
    }
    let between = 0, used = 0;
    sums.forEach((s, l) => { if (counts[l]) { between += s * s / counts[l]; used++; } });
    const mean = total ? sum * sum / total : 0, whole = squares - mean;
    if (!(whole > 1e-12 * squares) || total <= used) { return NaN; }
    const noise = (squares - between) / (total - used);
    return Math.max(0, (between - mean - (used - 1) * noise) / whole);
}

function tally(rows, column) {
    const counts = new Uint32Array(data.values[column].length), onFront = counts.slice();
    const codes = data.codes[column], n = rows ? rows.length : data.count;
    for (let k = 0; k < n; k++) {
        const i = rows ? rows[k] : k;
        counts[codes[i]]++;
        onFront[codes[i]] += data.front[i];
    }
    return {counts, onFront};
}

const size = (rows) => (rows ? rows.length : data.count);

const answers = {
    open,
    density({filters, pairs, colour}) {
        const rows = passing(data, filters);
        return {count: size(rows), parts: densities(data, pairs, rows, colour)};
    },
    cube({filters, active, pairs}) { return cumulate(data, active, pairs, passing(data, filters)); },
    table({filters, column, down, most, order}) {
        const rows = passing(data, filters);
        return {count: size(rows), records: records(firstRows(rows, column, down, most, order))};
    },
    some({filters, most}) {
        const rows = passing(data, filters);
        return {count: size(rows), records: records(evenly(rows, most))};
    },
    rows({rows}) { return records(rows); },
    numbers({points}) {
        const wanted = new Set(points), rows = [];
        data.points.forEach((p, i) => { if (wanted.has(p)) { rows.push(i); } });
        return records(rows);
    },
    nearest({filters, place}) { return nearest(passing(data, filters), place); },
    chunk({filters, from, most}) {
        const rows = passing(data, filters), take = Math.max(0, Math.min(most, size(rows) - from));
        return records(Array.from({length: take}, (_, k) => (rows ? rows[from + k] : from + k)));
    },
    insight({filters, targets, factors, tallies}) {
        const rows = passing(data, filters);
        return {count: size(rows), shares: targets.map((t) => factors.map((f) => explained(rows, t, f))),
            tallies: tallies.map((c) => tally(rows, c))};
    },
};

function buffersIn(value, found) {
    if (ArrayBuffer.isView(value)) { found.add(value.buffer); }
    else if (value && typeof value === "object") { Object.values(value).forEach((v) => buffersIn(v, found)); }
    return found;
}

self.onmessage = async ({data: {id, question, given}}) => {
    try {
        const answer = await answers[question](given);
        const moved = question === "open" ? [] : [...buffersIn(answer, new Set())];
        self.postMessage({id, answer}, moved);
    } catch (error) {
        self.postMessage({id, error: String(error.message || error)});
    }
};
