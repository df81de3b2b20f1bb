// SPDX-License-Identifier: MIT
"use strict";
// In the worker: text of the page becomes arrays. docs/report.md describes the bytes.

function bytesOf(text) {
    if (Uint8Array.fromBase64) { return Uint8Array.fromBase64(text); }
    const plain = atob(text), bytes = new Uint8Array(plain.length);
    for (let i = 0; i < bytes.length; i++) { bytes[i] = plain.charCodeAt(i); }
    return bytes;
}

async function inflate(text, packed) {
    const bytes = bytesOf(text.slice(packed.at, packed.at + packed.size));
    const out = new Uint8Array(packed.bytes);
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    let at = 0;
    for (;;) {
        const {done, value} = await reader.read();
        if (done) { break; }
        out.set(value, at);
        at += value.length;
    }
    if (at !== out.length) { throw new Error("the page is not whole"); }
    return out;
}

// The first codes stand for all that follow them in periods.
async function unpackCodes(text, {codes: packed, period}, count) {
    const bytes = await inflate(text, packed), codes = new Uint16Array(count);
    const high = bytes.length === period ? 0 : period;
    for (let i = 0; i < period; i++) { codes[i] = bytes[i] | (high && bytes[high + i] << 8); }
    for (let at = period; at < count; at += period) { codes.copyWithin(at, 0, period); }
    return codes;
}

async function unpackWholes(text, packed, count) {
    const bytes = await inflate(text, packed), numbers = new Uint32Array(count);
    for (let i = 0, before = 0; i < count; i++) {
        before += bytes[i] | bytes[count + i] << 8 | bytes[2 * count + i] << 16 | bytes[3 * count + i] << 24;
        numbers[i] = before;
    }
    return numbers;
}

async function unpackDoubles(text, packed) {
    const bytes = await inflate(text, packed), count = bytes.length / 8;
    const numbers = new Float64Array(count), view = new DataView(numbers.buffer);
    const little = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
    const raw = new Uint8Array(view.buffer);
    for (let b = 0; b < 8; b++) {
        for (let i = 0; i < count; i++) { raw[8 * i + (little ? b : 7 - b)] = bytes[b * count + i]; }
    }
    return numbers;
}

// What each code stands for; nothing is there at code 0.
async function valuesOf(text, column) {
    if (column.labels) { return Float64Array.from({length: column.labels.length + 1}, (_, k) => (k ? k - 1 : NaN)); }
    if (column.levels) {
        const levels = await unpackDoubles(text, column.levels), values = new Float64Array(levels.length + 1);
        values[0] = NaN;
        values.set(levels, 1);
        return values;
    }
    const {low, high, steps} = column, ratio = Math.log(high / low);
    const at = (share) => (column.log ? low * Math.exp(share * ratio) : low + share * (high - low));
    return Float64Array.from({length: steps + 1}, (_, k) => (k === 0 ? NaN : k === steps ? high : at((k - 1) / (steps - 1))));
}
