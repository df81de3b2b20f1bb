"use strict";
// What the parts share: the data, names and formats, tables. Everything is put into the page as
// text, never as HTML.
const report = JSON.parse(document.getElementById("data").textContent);
const columns = report.columns;
const columnOf = new Map(columns.map((c) => [c.name, c]));
const onFront = new Uint8Array(report.shown);
report.front.forEach((i) => { onFront[i] = 1; });
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"];
const count = d3.format(",");
const byId = (id) => document.getElementById(id);

function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

function numberText(value, column) {
    if (/^(B|bytes)$/.test(column.unit) && value >= 1024 && value % 1024 === 0) {
        return value % 1048576 === 0 ? value / 1048576 + "Mi" : value / 1024 + "Ki";
    }
    return Math.abs(value) >= 1e6 ? d3.format(".5~s")(value) : String(+value.toPrecision(6));
}

function textOf(column, i) {
    const value = column.values[i];
    if (value === null) { return ""; }
    return column.labels ? column.labels[value] : numberText(value, column);
}

function heading(column) {
    const unit = column.unit && column.unit !== column.name ? " " + column.unit : "";
    return [column.name, element("span", {className: "unit"}, unit)];
}

// ---- tables ----

function plainTable(place, caption, table) {
    if (!table.rows.length) { return; }
    const row = (tag, cells) => element("tr", {}, ...cells.map((c) => element(tag, {className: "text"}, c)));
    byId(place).replaceChildren(element("table", {}, element("caption", {}, caption),
        element("thead", {}, row("th", table.columns)),
        element("tbody", {}, ...table.rows.map((r) => row("td", r)))));
}

const compare = (column, down) => (a, b) => {
    const x = column.values[a], y = column.values[b];
    if (x === null || y === null) { return (x === null) - (y === null); }
    return down ? y - x : x - y;
};

// A table of rows of the report, sorted by the column whose heading was pressed last.
class RowTable {
    constructor(place, most, shown) {
        Object.assign(this, {place: byId(place), most, shown, rows: [], by: null, down: false});
    }

    sort(column) {
        this.down = this.by === column && !this.down;
        this.by = column;
        this.draw();
        const again = [...this.place.querySelectorAll("th button")];
        again[this.columns.indexOf(column)].focus();
    }

    header(column) {
        const button = element("button", {title: column.doc, onclick: () => this.sort(column)}, ...heading(column));
        const cell = element("th", {className: column.labels ? "text" : "", scope: "col"}, button);
        cell.ariaSort = column !== this.by ? "none" : this.down ? "descending" : "ascending";
        if (column === this.by) { button.append(this.down ? " \u25bc" : " \u25b2"); }
        return cell;
    }

    line(i) {
        const cells = this.columns.map((c) => element("td", {className: c.labels ? "text" : ""}, textOf(c, i)));
        return element("tr", {tabIndex: 0, onfocus: () => this.shown(i), onmouseenter: () => this.shown(i)}, ...cells);
    }

    draw() {
        const rows = this.by ? Array.from(this.rows).sort(compare(this.by, this.down)) : this.rows;
        const some = Array.from(rows.slice(0, this.most), (i) => this.line(i));
        const left = rows.length - some.length;
        const caption = left > 0 ? `the first ${count(some.length)} of ${count(rows.length)} rows` : "";
        this.place.replaceChildren(element("table", {}, element("caption", {}, caption),
            element("thead", {}, element("tr", {}, ...this.columns.map((c) => this.header(c)))),
            element("tbody", {}, ...some)));
    }
}
