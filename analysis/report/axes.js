// SPDX-License-Identifier: MIT
// Where values stand: scales of columns, their bins, and the axes drawn for them.
const PAIR_BINS = 64, ACTIVE_BINS = 256, PLANE_BINS = 96;

const lastOf = (column) => column.values.length - 1;

function extentOf(column) {
    if (column.labels) { return [-0.5, column.labels.length - 0.5]; }
    if (lastOf(column) < 1) { return [0, 1]; }
    const [low, high] = [column.values[1], column.values[lastOf(column)]];
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

// What a logarithmic axis is drawn of: values, or where all are near 1 from above what they have above 1.
const FAR = 20;
function shiftOf(column) {
    const [low, high] = extentOf(column);
    const ratio = !column.labels && !column.unit && column.goal === -1 && column.role !== "factor" && lastOf(column) > 1;
    const above = ratio ? column.values[1 + (lastOf(column) >> 2)] - 1 : FAR;
    return low >= 1 - 1e-9 && above < 0.2 && high - 1 > FAR * above ? 1 : 0;
}

const leastAbove = (column, shift) => column.values.find((v) => v > shift + 1e-9);
const canLog = (column) => !column.labels && extentOf(column)[0] >= 0 && leastAbove(column, 0) !== undefined;

// Whether an axis is best logarithmic.
function prefersLog(column) {
    if (column.labels || shiftOf(column)) { return Boolean(shiftOf(column)); }
    const [low, high] = extentOf(column);
    return column.log > 0 || (column.role === "factor" && low === 0 && high > FAR * leastAbove(column, 0));
}

// Logarithmic, with a place for 0: the last step before it is straight.
function scaleFromZero(column, shift, range) {
    const [low, high] = extentOf(column).map((v) => Math.max(0, v - shift)), least = leastAbove(column, shift) - shift;
    const inner = d3.scaleSymlog().constant(least).domain([low, high]).range(range);
    const scale = (v) => inner(v - shift);
    const powers = d3.range(Math.ceil(Math.log10(least) - 1e-9), Math.floor(Math.log10(high) + 1e-9) + 1).map((p) => 10 ** p);
    const own = Array.from(column.values.subarray(1), (v) => v - shift);
    const marks = own.length <= 8 ? own : [...(low < least ? [0] : []), ...powers].filter((v) => v >= low && v <= high);
    return Object.assign(scale, {shift, marks, range: inner.range, copy: () => scale});
}

function scaleOf(column, log, range) {
    if (log && canLog(column)) {
        const shift = shiftOf(column);
        if (shift || extentOf(column)[0] === 0) { return scaleFromZero(column, shift, range); }
    }
    const scale = log && canLog(column) ? d3.scaleLog().base(column.log || 10) : d3.scaleLinear();
    return scale.domain(extentOf(column)).range(range);
}

// In which bin each code falls, and where on the axis, from 0 to 1, each bin stands. What has few values
// has a bin for each, at its place; the last bin, for nothing, is not drawn.
const binned = new Map();
function binsOf(column, log, most) {
    const key = JSON.stringify([column.name, Boolean(log), most]);
    if (binned.has(key)) { return binned.get(key); }
    const last = lastOf(column), each = last <= most, drawn = each ? last : most;
    const scale = scaleOf(column, log, [0, 1]), bins = new Uint16Array(last + 1), at = new Float64Array(drawn);
    bins[0] = drawn;
    for (let code = 1; code <= last; code++) {
        const place = scale(column.values[code]);
        bins[code] = each ? code - 1 : Math.min(most - 1, Math.max(0, Math.floor(place * most)));
        if (each) { at[code - 1] = place; }
    }
    for (let b = 0; b < drawn && !each; b++) { at[b] = (b + 0.5) / most; }
    binned.set(key, {column: column.index, bins, at, count: drawn + 1, even: !each});
    return binned.get(key);
}

const binPair = (a, alog, b, blog, most) => ({a: binsOf(a, alog, most), b: binsOf(b, blog, most)});
const plain = ({a, b}) => ({a: {column: a.column, bins: a.bins, count: a.count}, b: {column: b.column, bins: b.bins, count: b.count}});

// The bins whose middle lies between two places; low above high: none.
function binsBetween(bins, from, to) {
    let low = 0, high = bins.at.length - 1;
    while (low <= high && bins.at[low] < from) { low++; }
    while (high >= low && bins.at[high] > to) { high--; }
    return [low, high];
}

// The filter that lets through what falls into some bins.
function filterOfBins(column, bins, low, high) {
    const codes = [];
    for (let code = 1; code <= lastOf(column); code++) {
        if (bins.bins[code] >= low && bins.bins[code] <= high) { codes.push(code); }
    }
    if (column.labels) { return {set: codes.map((code) => column.labels[code - 1])}; }
    if (codes.length) { return {range: [column.values[codes[0]], column.values[codes[codes.length - 1]]]}; }
    const end = column.values[lastOf(column)];
    return {range: [end + 1, end + 1]};
}

// From where to where, on an axis from 0 to 1, a filter reaches.
function placesOf(column, log, filter) {
    const scale = scaleOf(column, log, [0, 1]), [low, high] = extentOf(column);
    const clamp = (v) => scale(Math.min(Math.max(v, low), high));
    if (!filter.set) { return filter.range.map(clamp); }
    const numbers = filter.set.map((text) => column.labels.indexOf(text)).filter((k) => k >= 0);
    return numbers.length ? [clamp(Math.min(...numbers) - 0.4), clamp(Math.max(...numbers) + 0.4)] : [0, 0];
}

// ---- ticks ----

function isPower(value, base) {
    const exponent = Math.log(value) / Math.log(base);
    return Math.abs(exponent - Math.round(exponent)) < 1e-9;
}

// Powers of the base, at most so many; over less than two of them also what lies between.
function roundTicks(scale, base, most) {
    const all = scale.ticks(50), powers = all.filter((v) => isPower(v, base));
    const some = powers.length > 2 ? powers : all.filter((v) => /^0*[125]/.test(String(v).replace(".", "")));
    return some.filter((v, i) => i % Math.ceil(some.length / most) === 0);
}

function axisOf(make, scale, column, ticks) {
    const axis = make(scale).ticks(ticks).tickFormat((v) => numberText(v, column));
    const short = (text) => (text.length > 14 ? text.slice(0, 13) + "\u2026" : text);
    if (column.labels) {
        const step = Math.ceil(column.labels.length / 24);
        axis.tickValues(d3.range(0, column.labels.length, step)).tickFormat((v) => short(column.labels[v]));
    } else if (scale.marks) {
        const step = Math.ceil(scale.marks.length / (ticks + 2)), at = scale.marks.filter((_, k) => k % step === 0);
        axis.tickValues(at.map((v) => v + scale.shift)).tickFormat((v) => numberText(+(v - scale.shift).toPrecision(6), column));
    } else if (scale.base) {
        axis.tickValues(roundTicks(scale, scale.base(), ticks));
    } else if (inBytes(column) && lastOf(column) > ticks) {
        const [low, high] = extentOf(column), unit = 1024 ** Math.max(0, Math.floor(Math.log2(high) / 10));
        axis.tickValues(d3.ticks(low / unit, high / unit, ticks).map((v) => v * unit));
    } else if (lastOf(column) <= ticks) {
        axis.tickValues(Array.from(column.values.subarray(1)));
    }
    return axis;
}

// D3 5 tells of an event in a global, later versions in the first argument.
const eventOf = (first) => d3.event || first;
