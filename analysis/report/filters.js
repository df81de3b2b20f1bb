// SPDX-License-Identifier: MIT
// One line per column: whether it has an axis, how that runs, and which values are selected.
function axisIndex(column) { return state.axes.findIndex((a) => a.name === column.name); }

function switchAxis(column, told) {
    const k = axisIndex(column);
    if (k < 0) { state.axes.push({name: column.name, inverted: false, log: prefersLog(column)}); } else { state.axes.splice(k, 1); }
    told.changed(`has-axis-${column.name}`);
}

function box(id, label, checked, disabled, onchange) {
    return element("input", {type: "checkbox", id, ariaLabel: label, checked, disabled, onchange});
}

function numberInput(column, end, filter, told) {
    const value = filter ? filter.range[end] : extentOf(column)[end];
    const input = element("input", {id: `range-${end}-${column.name}`, type: "number", step: "any",
        ariaLabel: `${column.name} ${end ? "to" : "from"}`, value: filter ? +value.toPrecision(6) : "",
        placeholder: +extentOf(column)[end].toPrecision(6)});
    input.onchange = () => {
        const range = ((filtersOf().get(column.name) || {}).range || extentOf(column)).slice();
        range[end] = input.value === "" ? extentOf(column)[end] : Number(input.value);
        const all = range[0] <= extentOf(column)[0] && range[1] >= extentOf(column)[1];
        told.set(column, all ? null : {range}, input.id);
    };
    return input;
}

// Labels as boxes to tick; many of them behind a summary.
function labelInputs(column, filter, told) {
    const wanted = new Set(filter ? filter.set : column.labels);
    const all = column.labels.map((text, k) => {
        const id = `label-${k}-${column.name}`;
        const tick = box(id, `${column.name} ${text}`, wanted.has(text), false, () => {
            if (tick.checked) { wanted.add(text); } else { wanted.delete(text); }
            told.set(column, wanted.size === column.labels.length ? null : {set: [...wanted]}, id);
        });
        return element("label", {}, tick, " " + text);
    });
    if (all.length <= 8) { return element("div", {className: "labels"}, ...all); }
    const summary = element("summary", {}, `${wanted.size} of ${all.length}`);
    return element("details", {open: Boolean(filter)}, summary, element("div", {className: "labels"}, ...all));
}

function filterLine(column, told) {
    const k = axisIndex(column), axis = state.axes[k], filter = filtersOf().get(column.name);
    const turn = (what) => () => { axis[what] = !axis[what]; told.changed(`${what}-${column.name}`); };
    const cell = (...inside) => element("td", {}, ...inside);
    const values = column.labels ? [element("td", {colSpan: 2, className: "text"}, labelInputs(column, filter, told))]
        : [cell(numberInput(column, 0, filter, told)), cell(numberInput(column, 1, filter, told))];
    return element("tr", {}, element("th", {className: "text", scope: "row", title: column.doc}, ...heading(column)),
        cell(box(`has-axis-${column.name}`, `axis of ${column.name}`, k >= 0, false, () => switchAxis(column, told))),
        cell(box(`inverted-${column.name}`, `invert ${column.name}`, Boolean(axis && axis.inverted), k < 0, axis && turn("inverted"))),
        cell(box(`log-${column.name}`, `logarithmic ${column.name}`, Boolean(axis && axis.log), k < 0 || !canLog(column), axis && turn("log"))),
        ...values);
}

function drawFilters(told) {
    const head = ["column", "axis", "inverted", "log", "from", "to"].map((text) => element("th", {className: "text", scope: "col"}, text));
    byId("ranges").replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...columns.map((c) => filterLine(c, told)))));
}

// ---- selections ----

const SHADES = [0, 2, 3, 5];
const shadeOf = (k) => PALETTE[SHADES[k]];
const nameOf = (k) => "ABCD"[k];

function drawSelections(counts, told) {
    const tabs = state.selections.map((_, k) => {
        const text = `${nameOf(k)}: ${counts[k] === undefined ? "\u2026" : count(counts[k])}`;
        const tab = element("button", {id: `selection-${k}`, className: "tab", ariaPressed: String(k === state.active), onclick: () => told.activate(k)},
            element("span", {className: "swatch"}), text);
        tab.firstChild.style.background = shadeOf(k);
        return tab;
    });
    const add = element("button", {id: "add-selection", textContent: "+ selection", disabled: state.selections.length >= SELECTIONS, onclick: told.add});
    const drop = element("button", {id: "drop-selection", textContent: "drop", ariaLabel: `drop selection ${nameOf(state.active)}`,
        disabled: state.selections.length < 2, onclick: told.drop});
    byId("selections").replaceChildren(...tabs, add, drop);
}

// ---- colours ----

// A colour per code; null: by selection.
function shades(column) {
    if (!column) { return null; }
    const table = new Uint8Array(3 * column.values.length), place = scaleOf(column, prefersLog(column), [0, 0.95]);
    column.values.forEach((value, code) => {
        const text = code === 0 ? "#999999" : column.labels ? PALETTE[value % PALETTE.length] : d3.interpolateViridis(place(value));
        table.set(rgbOf(text), 3 * code);
    });
    return table;
}

function drawLegend(column, table) {
    const swatch = (text, name) => {
        const made = element("span", {className: "key"}, element("span", {className: "swatch"}), name);
        made.firstChild.style.background = text;
        return made;
    };
    const at = (code) => `rgb(${table[3 * code]},${table[3 * code + 1]},${table[3 * code + 2]})`;
    if (!column) {
        byId("legend").replaceChildren(swatch(shadeOf(state.active), "selected"), swatch(PALETTE[1], "on the front"), swatch(theme("rest"), "all"));
    } else if (column.labels) {
        const keys = column.labels.slice(0, 12).map((text, k) => swatch(at(k + 1), text));
        byId("legend").replaceChildren(`${column.name}: `, ...keys, column.labels.length > 12 ? "\u2026" : "");
    } else {
        const bar = element("span", {className: "bar"}), [low, high] = extentOf(column), scale = scaleOf(column, prefersLog(column), [0, 0.95]);
        const stops = d3.range(9).map((k) => d3.interpolateViridis(k * 0.95 / 8));
        bar.style.background = `linear-gradient(to right, ${stops.join(",")})`;
        byId("legend").replaceChildren(...heading(column), " ", numberText(low, column), bar, numberText(high, column), scale.base || scale.marks ? " (log)" : "");
    }
}
