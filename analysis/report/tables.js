// SPDX-License-Identifier: MIT
// Tables: of texts as they are, and of rows, sorted by the column whose heading was pressed last.
function plainTable(place, caption, table) {
    if (!table || !table.rows.length) { return; }
    const known = table.columns.map((name) => columnOf.get(name)), isNumber = (c) => /^[-+]?[\d.]+(e[-+]?\d+)?%?$/.test(c);
    const numeric = table.columns.map((_, k) => table.rows.every((r) => r[k] === "" || isNumber(r[k])));
    const kind = (k) => ({className: numeric[k] ? "" : "text"});
    const cell = (c, k) => element("td", kind(k), known[k] && numeric[k] && c !== "" && !c.endsWith("%") ? numberText(Number(c), known[k]) : c);
    byId(place).replaceChildren(element("table", {}, element("caption", {}, caption),
        element("thead", {}, element("tr", {}, ...table.columns.map((name, k) => element("th", kind(k), ...(known[k] ? heading(known[k]) : [name]))))),
        element("tbody", {}, ...table.rows.map((r) => element("tr", {}, ...r.map(cell))))));
}

const POINT = {name: "point", unit: "", doc: "number of the point in its sweep", index: -1};

class RowTable {
    constructor(place, columns, told) {
        Object.assign(this, {place: byId(place), columns: [POINT, ...columns], told, by: POINT, down: false});
    }

    sort(column) {
        this.down = this.by === column && !this.down;
        this.by = column;
        this.told.sorted(() => this.place.querySelectorAll("th button")[this.columns.indexOf(column)].focus());
    }

    header(column) {
        const button = element("button", {title: column.doc, onclick: () => this.sort(column)}, ...heading(column));
        const cell = element("th", {className: column.labels ? "text" : "", scope: "col"}, button);
        cell.ariaSort = column !== this.by ? "none" : this.down ? "descending" : "ascending";
        if (column === this.by) { button.append(this.down ? " \u25bc" : " \u25b2"); }
        return cell;
    }

    line(row) {
        const text = (c) => (c !== POINT ? row.text(c) : row.ties ? `${row.point} and ${row.ties} more alike` : String(row.point));
        const cells = this.columns.map((c) => element("td", {className: c.labels ? "text" : ""}, text(c)));
        const made = element("tr", {tabIndex: 0, className: row.front ? "front" : "", onfocus: () => this.told.show(row),
            onmouseenter: () => this.told.show(row), onclick: () => this.told.pin(row)}, ...cells);
        made.onkeydown = (event) => { if (event.key === "p") { this.told.pin(row); } };
        return made;
    }

    draw(rows, total) {
        const caption = rows.length < total ? `the first ${count(rows.length)} of ${count(total)} rows` : "";
        this.place.replaceChildren(element("table", {}, element("caption", {}, caption),
            element("thead", {}, element("tr", {}, ...this.columns.map((c) => this.header(c)))),
            element("tbody", {}, ...rows.map((r) => this.line(r)))));
    }

    // What the worker needs to know of the order: labels by their text.
    get order() {
        if (this.by === POINT) { return {column: -1, down: this.down}; }
        const {labels} = this.by;
        const sorted = labels && labels.map((text, k) => [text, k]).sort((a, b) => (a[0] < b[0] ? -1 : 1));
        const places = labels && new Uint16Array(labels.length);
        if (labels) { sorted.forEach(([, k], place) => { places[k] = place; }); }
        return {column: this.by.index, down: this.down, order: places};
    }
}

// All that is known of one row.
function describe(row) {
    const term = (c, text) => [element("dt", {title: c.doc}, ...heading(c)), element("dd", {}, text)];
    const cells = columns.flatMap((c) => term(c, row.text(c)));
    const known = exact.index.get(row.row);
    for (const [name, c] of known === undefined ? [] : exact.columns) {
        if (columnOf.has(name) || Number.isNaN(c.numbers[known])) { continue; }
        cells.push(...term(c, c.labels ? c.labels[c.numbers[known]] : numberText(c.numbers[known], c)));
    }
    const more = row.exact ? [] : [element("dt", {}, "exactly"), element("dd", {}, element("code", {}, commandOf([row])))];
    return element("dl", {}, ...term(POINT, `${row.point}${row.front ? ", on the front" : ""}`), ...cells, ...more);
}
