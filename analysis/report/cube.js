// SPDX-License-Identifier: MIT
// In the worker: counts of rows over pairs of columns. `bins` of a column says in which bin a code
// falls; code 0 falls into the last one, which is not drawn.

// Rows that pass all filters: as a list, or null when all do.
function passing(data, filters) {
    const n = data.count;
    if (!filters.length) { return null; }
    const list = new Uint32Array(n);
    let size = n;
    filters.forEach(({column, pass}, k) => {
        const codes = data.codes[column];
        let kept = 0;
        if (k === 0) {
            for (let i = 0; i < n; i++) { list[kept] = i; kept += pass[codes[i]]; }
        } else {
            for (let j = 0; j < size; j++) { const i = list[j]; list[kept] = i; kept += pass[codes[i]]; }
        }
        size = kept;
    });
    return list.subarray(0, size);
}

function histogram(data, rows, pair, out, colour) {
    const a = data.codes[pair.a.column], b = data.codes[pair.b.column];
    const abin = pair.a.bins, bbin = pair.b.bins, width = pair.b.count;
    const n = rows ? rows.length : data.count;
    for (let k = 0; k < n; k++) {
        const i = rows ? rows[k] : k, cell = abin[a[i]] * width + bbin[b[i]];
        out.counts[cell]++;
        if (colour) {
            const c = 3 * colour.codes[i], at = 3 * cell;
            out.colours[at] += colour.table[c];
            out.colours[at + 1] += colour.table[c + 1];
            out.colours[at + 2] += colour.table[c + 2];
        }
    }
}

// Counts over each pair, and where there is a colour per code its mean in each cell.
function densities(data, pairs, rows, colour) {
    const shade = colour && {codes: data.codes[colour.column], table: colour.table};
    return pairs.map((pair) => {
        const cells = pair.a.count * pair.b.count;
        const out = {counts: new Uint32Array(cells), colours: shade ? new Float32Array(3 * cells) : null};
        histogram(data, rows, pair, out, shade);
        for (let c = 0; shade && c < cells; c++) {
            const count = out.counts[c] || 1;
            for (let k = 3 * c; k < 3 * c + 3; k++) { out.colours[k] /= count; }
        }
        return out;
    });
}

// Rows in the order of their bin on the active axis: neighbours then count into the same slice.
function byBin(data, rows, active) {
    const codes = data.codes[active.column], n = rows ? rows.length : data.count;
    const starts = new Uint32Array(active.count + 1), order = new Uint32Array(n);
    for (let k = 0; k < n; k++) { starts[active.bins[codes[rows ? rows[k] : k]] + 1]++; }
    for (let b = 0; b < active.count; b++) { starts[b + 1] += starts[b]; }
    const next = starts.slice();
    for (let k = 0; k < n; k++) { const i = rows ? rows[k] : k; order[next[active.bins[codes[i]]]++] = i; }
    return {starts, order};
}

// For every bin of the active axis the counts of all rows in lower bins: a range of bins is then the
// difference of two slices, whatever the number of rows.
function cumulate(data, active, pairs, rows) {
    const {starts, order} = byBin(data, rows, active);
    const parts = pairs.map((pair) => {
        const cells = pair.a.count * pair.b.count, sums = new Uint32Array(active.count * cells);
        const a = data.codes[pair.a.column], b = data.codes[pair.b.column];
        for (let bin = 0; bin + 1 < active.count; bin++) {
            const to = (bin + 1) * cells;
            sums.copyWithin(to, bin * cells, to);
            for (let k = starts[bin]; k < starts[bin + 1]; k++) {
                const i = order[k];
                sums[to + pair.a.bins[a[i]] * pair.b.count + pair.b.bins[b[i]]]++;
            }
        }
        return sums;
    });
    return {parts, starts};
}
