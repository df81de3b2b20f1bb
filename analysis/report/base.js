// SPDX-License-Identifier: MIT
"use strict";
// What the parts share: what the page holds, names and formats. Everything is put into the page as
// text, never as HTML.
const report = JSON.parse(document.getElementById("data").textContent);
const columns = report.columns;
const columnOf = new Map(columns.map((c, k) => [c.name, Object.assign(c, {index: k})]));
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"];
const count = d3.format(",");
const byId = (id) => document.getElementById(id);
const theme = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const exact = {index: new Map(), columns: new Map()}; // filled when all is unpacked

function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

const inBytes = (column) => /^(B|bytes)$/.test(column.unit);
const PREFIXES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

// As figures write numbers: whole KiB and MiB, prefixes where nothing is lost.
function numberText(value, column) {
    if (inBytes(column)) {
        const k = [4, 3, 2, 1].find((p) => value >= 1024 ** p && value % 1024 ** p === 0);
        return k ? `${value / 1024 ** k} ${"KMGT"[k - 1]}iB` : `${count(+value.toPrecision(9))} B`;
    }
    const [size, prefix] = PREFIXES.find(([s]) => Math.abs(value) >= s) || [1, ""];
    const shown = value / size;
    if (Math.abs(value) >= 1e4 && Math.abs(shown - Math.round(shown * 10) / 10) < 1e-9) { return shown + prefix; }
    return Math.abs(value) >= 1e6 ? d3.format(".5~s")(value) : String(+value.toPrecision(6));
}

// Cells of bytes have their units themselves.
const unitOf = (column) => (column.unit && column.unit !== column.name && !inBytes(column) ? column.unit : "");

function heading(column) {
    const unit = unitOf(column) && ` ${unitOf(column)}`;
    return [column.name, element("span", {className: "unit"}, unit)];
}

// ---- one row ----

// A row as the worker hands it on, its codes in place.
class Row {
    constructor(list, k) {
        Object.assign(this, {row: list.rows[k], point: list.points[k], front: list.front[k] === 1});
        this.codes = list.codes.subarray(k * columns.length, (k + 1) * columns.length);
    }
    code(column) { return this.codes[column.index]; }

    // The value, and whether it is only a step of the scale.
    value(column) {
        const known = column.steps ? exact.index.get(this.row) : undefined, of = exact.columns.get(column.name);
        return known !== undefined && of ? [of.numbers[known], false]
            : [column.values[this.code(column)], Boolean(column.steps)];
    }
    text(column) {
        const [value, rough] = this.value(column);
        if (Number.isNaN(value)) { return ""; }
        return column.labels ? column.labels[value] : (rough ? "\u2248" : "") + numberText(value, column);
    }
    get exact() { return !columns.some((c) => c.steps) || exact.index.has(this.row); }
}

const rowsOf = (list) => Array.from(list.rows, (_, k) => new Row(list, k));

// What prints exact values of some rows.
const commandOf = (rows) => `${report.command} -w "point IN (${rows.map((r) => r.point).join(", ")})"`;
