// SPDX-License-Identifier: MIT
// Parallel coordinates: density between neighbouring axes, lines for few rows. Axes are moved by
// dragging their names or by the arrow keys, and selected on by dragging along them or by their ends.
const LEAST_STEP = 88;

class Parallel extends Chart {
    constructor(place, told) {
        super(place, 360, {left: 44, right: 44, top: 66, bottom: 14});
        Object.assign(this, {told, bundle: new Bundle()});
    }

    // The first axis has its words to its left, outside of all others.
    leftOf(axes) {
        const labels = axes.length ? columnOf.get(axes[0].name).labels || [] : [];
        return Math.min(110, Math.max(48, 18 + 6.5 * Math.max(0, ...labels.slice(0, 200).map((text) => text.length))));
    }

    reset(axes) {
        this.margin.left = this.leftOf(axes);
        const n = axes.length, {left, right, top, bottom} = this.margin;
        this.start(Math.max(this.place.parentElement.clientWidth, left + right + (n - 1) * LEAST_STEP));
        this.step = (this.width - left - right) / Math.max(1, n - 1);
        this.axes = axes.map((axis, k) => this.prepare(axis, left + k * this.step));
        this.pairs = this.axes.slice(1).map((b, k) => binPair(this.axes[k].column, this.axes[k].log, b.column, b.log, PAIR_BINS));
        this.boxes = this.pairs.map((_, k) => ({x: this.axes[k].x, y: top, width: this.step, height: this.height - top - bottom}));
        this.axes.forEach((axis, k) => this.axis(axis, k));
        this.marked = this.svg.append("path").attr("class", "marked");
    }

    prepare({name, inverted, log}, x) {
        const column = columnOf.get(name), ends = [this.height - this.margin.bottom, this.margin.top];
        const scale = scaleOf(column, log, inverted ? ends.reverse() : ends);
        const active = binsOf(column, log, ACTIVE_BINS);
        return {name, inverted, log, column, x, scale, active, at: Float32Array.from(column.values, (v) => scale(v))};
    }

    axis(axis, k) {
        this.place.append(headOf(axis, k, this));
        const group = this.svg.append("g").attr("class", "axis").attr("transform", `translate(${axis.x},0)`);
        group.call(axisOf(d3.axisLeft, axis.scale, axis.column, 6));
        axis.brush = d3.brushY().extent([[-11, this.margin.top], [11, this.height - this.margin.bottom]]);
        const self = this;
        axis.brush.on("start brush end", function (first) {
            if (!self.placing) { self.brushed(axis, eventOf(first)); }
        });
        axis.group = group.append("g").attr("class", "brush").call(axis.brush);
        axis.group.node().addEventListener("pointerenter", () => this.told.near(axis));
        axis.ends = [0, 1].map((end) => endOf(axis, end, group, this));
    }

    // Places on an axis from 0 to 1, whichever way it runs.
    placeAt(axis, y) {
        const from = axis.scale.range()[0], to = axis.scale.range()[1];
        return (y - from) / (to - from);
    }

    brushed(axis, event) {
        const done = event.type === "end";
        if (event.type === "start") { this.told.near(axis); return; }
        if (!event.selection) { this.told.filter(axis, null, done); return; }
        const [from, to] = event.selection.map((y) => this.placeAt(axis, y)).sort((a, b) => a - b);
        this.told.filter(axis, binsBetween(axis.active, from - 1e-9, to + 1e-9), done);
    }

    // Brushes tell of being moved whoever moves them.
    placeBrushes(filters) {
        this.placing = true;
        for (const axis of this.axes) {
            const filter = filters.get(axis.name);
            let pixels = null;
            if (filter) {
                const [from, to] = placesOf(axis.column, axis.log, filter), [a, b] = axis.scale.range();
                pixels = [a + from * (b - a), a + to * (b - a)].sort((p, q) => p - q);
                if (pixels[1] - pixels[0] < 4) { pixels = [pixels[0] - 2, pixels[1] + 2]; }
            }
            axis.group.call(axis.brush.move, pixels);
            axis.ends.forEach((end) => end.show(filter));
        }
        this.placing = false;
    }

    density(context, parts, look) {
        this.pairs.forEach((pair, k) => this.bundle.draw(context, this.boxes[k], pair, parts[k],
            {...look, flips: [this.axes[k].inverted, this.axes[k + 1].inverted]}));
    }

    path(context, row) {
        let pen = false;
        for (const axis of this.axes) {
            const y = axis.at[row.code(axis.column)];
            if (Number.isNaN(y)) { pen = false; continue; }
            if (pen) { context.lineTo(axis.x, y); } else { context.moveTo(axis.x, y); }
            pen = true;
        }
    }

    lines(context, rows, colour, least) {
        const alpha = fading(rows, least), first = Math.max(0.12, Math.min(0.9, 60 / (1 + rows.filter((r) => r.front).length)));
        this.sliced(context, rows, (row) => {
            context.strokeStyle = colour(row);
            context.lineWidth = row.front ? 1.2 : 0.7;
            context.globalAlpha = row.front ? first : alpha;
            context.beginPath();
            this.path(context, row);
            context.stroke();
        });
    }

    mark(row) {
        const path = d3.path();
        this.path(path, row);
        this.marked.attr("d", path.toString());
    }

    // Where the mouse is, as a question to the worker.
    question(x, y) {
        if (this.axes.length < 2 || y < this.margin.top) { return null; }
        const k = Math.min(Math.max(d3.bisector((a) => a.x).left(this.axes, x), 1), this.axes.length - 1);
        const [a, b] = [this.axes[k - 1], this.axes[k]], of = (axis) => ({column: axis.column.index, at: axis.at});
        return {a: of(a), b: of(b), x, y, share: Math.min(1, Math.max(0, (x - a.x) / (b.x - a.x))), reach: 12};
    }
}

// ---- what stands above an axis ----

function moveAxis(chart, k, to) {
    if (to < 0 || to >= state.axes.length || to === k) { return; }
    state.axes.splice(to, 0, ...state.axes.splice(k, 1));
    chart.told.changed(state.axes[to].name);
}

function turnAxis(chart, k, what) {
    if (what === "log" && !canLog(columnOf.get(state.axes[k].name))) { return; }
    state.axes[k][what] = !state.axes[k][what];
    chart.told.changed(state.axes[k].name);
}

function headKey(event, chart, k) {
    const done = {ArrowLeft: () => moveAxis(chart, k, k - 1), ArrowRight: () => moveAxis(chart, k, k + 1),
        i: () => turnAxis(chart, k, "inverted"), l: () => turnAxis(chart, k, "log")}[event.key];
    if (done && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); done(); }
}

function dragHead(head, name, chart, k) {
    let from = null;
    name.addEventListener("pointerdown", (event) => { from = event.clientX; name.setPointerCapture(event.pointerId); });
    name.addEventListener("pointermove", (event) => {
        if (from !== null) { head.style.transform = `translateX(${event.clientX - from}px)`; }
    });
    name.addEventListener("pointerup", (event) => {
        const moved = from === null ? 0 : Math.round((event.clientX - from) / chart.step);
        from = null;
        head.style.transform = "";
        moveAxis(chart, k, Math.min(Math.max(k + moved, 0), state.axes.length - 1));
    });
    name.addEventListener("pointercancel", () => { from = null; head.style.transform = ""; });
}

function headOf(axis, k, chart) {
    const {column} = axis, unit = unitOf(column) ? ` [${unitOf(column)}]` : "";
    const name = element("button", {className: "axis-name", id: `axis-${column.name}`, textContent: column.name + (axis.scale.shift ? " \u2212 1" : ""),
        title: `${column.name}${unit}: ${column.doc}\nDrag, or arrow keys: moves the axis; I inverts it, L makes it logarithmic`,
        ariaLabel: `axis ${column.name}${unit}, ${k + 1} of ${state.axes.length}`, onkeydown: (event) => headKey(event, chart, k)});
    const toggle = (what, text, label, shown) => shown && element("button", {className: "axis-turn", textContent: text,
        title: `${label} ${column.name}`, ariaLabel: `${label} ${column.name}`, ariaPressed: String(Boolean(axis[what])),
        onclick: () => turnAxis(chart, k, what)});
    const turns = element("span", {}, ...[toggle("inverted", "\u21c5", "invert", true),
        toggle("log", "log", "logarithmic", canLog(column))].filter(Boolean));
    const head = element("div", {className: "axis-head"}, name, element("span", {className: "unit"}, unitOf(column) || "\u00a0"), turns);
    const last = k === state.axes.length - 1;
    head.style.left = `${k === 0 ? 0 : last ? axis.x + chart.margin.right - chart.step + 8 : axis.x - chart.step / 2 + 4}px`;
    head.style.width = `${chart.step - 8}px`;
    head.style.textAlign = k === 0 ? "left" : last ? "right" : "center";
    dragHead(head, name, chart, k);
    return head;
}

// One end of the selected range: a slider for the keyboard.
function endOf(axis, end, group, chart) {
    const at = group.append("path").attr("class", "end").attr("tabindex", 0).attr("role", "slider")
        .attr("d", end ? "M0,0l-6,-7h12z" : "M0,0l-6,7h12z").attr("aria-label", `${axis.name}, ${end ? "highest" : "lowest"} selected`);
    const most = axis.active.at.length - 1;
    let range = [0, most];
    const text = (bin) => {
        const code = axis.active.bins.indexOf(bin, 1);
        return code < 1 ? "" : axis.column.labels ? axis.column.labels[code - 1] : numberText(axis.column.values[code], axis.column);
    };
    const show = (filter) => {
        const [from, to] = filter ? placesOf(axis.column, axis.log, filter) : [0, 1], [a, b] = axis.scale.range();
        range = filter ? binsBetween(axis.active, from - 1e-9, to + 1e-9) : [0, most];
        at.attr("transform", `translate(0,${a + (end ? to : from) * (b - a)})${axis.inverted ? " scale(1,-1)" : ""}`)
            .attr("aria-valuemin", 0).attr("aria-valuemax", most).attr("aria-valuenow", range[end]).attr("aria-valuetext", text(range[end]));
    };
    const steps = {ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 16, PageDown: -16, Home: -1e9, End: 1e9};
    at.on("focus", () => chart.told.near(axis)).node().addEventListener("keydown", (event) => {
        const step = steps[event.key];
        if (!step) { return; }
        event.preventDefault();
        const to = range.slice();
        to[end] = Math.min(Math.max(to[end] + step, end ? to[0] : 0), end ? most : to[1]);
        chart.told.filter(axis, to[0] === 0 && to[1] === most ? null : to, true);
    });
    return {show};
}
