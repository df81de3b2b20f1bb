// The two charts. D3 makes scales, axes and brushes; lines and dots go to a canvas, a slice per frame,
// so that 20,000 of them never hold up a brush.
const SLICE = 1500;

function extentOf(column) {
    if (column.labels) { return [-0.5, column.labels.length - 0.5]; }
    const [low, high] = d3.extent(column.values);
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

function scaleOf(column, range) {
    const scale = column.log ? d3.scaleLog().base(column.log) : d3.scaleLinear();
    return scale.domain(extentOf(column)).range(range);
}

function axisOf(make, scale, column, ticks) {
    const axis = make(scale).ticks(ticks).tickFormat((v) => numberText(v, column));
    if (column.labels) {
        axis.tickValues(d3.range(column.labels.length)).tickFormat((v) => column.labels[v]);
    } else if (column.log) {
        axis.tickValues(roundTicks(scale, column.log, ticks));
    }
    return axis;
}

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

function layer(place, width, height) {
    const ratio = window.devicePixelRatio || 1;
    const canvas = element("canvas", {width: width * ratio, height: height * ratio});
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    place.append(canvas);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    return context;
}

// Draws rows a slice per frame; a later call for the same layer stops an earlier one.
function drawSliced(context, rows, draw) {
    const turn = context.turn = (context.turn || 0) + 1;
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    function slice(at) {
        if (context.turn !== turn) { return; }
        const end = Math.min(at + SLICE, rows.length);
        for (let k = at; k < end; k++) { draw(rows[k]); }
        if (end < rows.length) { requestAnimationFrame(() => slice(end)); }
    }
    slice(0);
}

// The more there are, the fainter each: what is dense stays told apart.
const fading = (rows, least) => Math.max(least, Math.min(0.9, 900 / rows.length));

// D3 5 tells of an event in a global, later versions in the first argument.
const eventOf = (first) => d3.event || first;

class Chart {
    constructor(place, height, margin) {
        Object.assign(this, {place: byId(place), height, margin});
    }

    start() {
        this.width = this.place.clientWidth;
        this.place.replaceChildren();
        this.place.style.height = this.height + "px";
        this.back = layer(this.place, this.width, this.height);
        this.top = layer(this.place, this.width, this.height);
        this.svg = d3.select(this.place).append("svg").attr("width", this.width).attr("height", this.height);
        this.back.strokeStyle = this.back.fillStyle = "#e4e4e4";
        this.back.lineWidth = 0.5;
    }

    title(column, x, y) {
        const text = this.svg.append("text").attr("class", "title").attr("x", x).attr("y", y).text(column.name);
        const unit = column.unit && column.unit !== column.name ? ` (${column.unit})` : "";
        text.append("tspan").attr("font-weight", 400).text(unit);
        text.append("title").text(column.doc);
        return text;
    }
}

class Parallel extends Chart {
    constructor(place, changed) {
        super(place, 320, {left: 40, right: 40, top: 44, bottom: 14});
        this.changed = changed;
    }

    reset(axes, all) {
        this.start();
        const {left, right, top, bottom} = this.margin;
        const step = (this.width - left - right) / Math.max(1, axes.length - 1);
        this.axes = axes.map((column, k) => ({column, x: left + k * step,
            scale: scaleOf(column, [this.height - bottom, top])}));
        this.axes.forEach((axis, k) => this.axis(axis, k));
        this.marked = this.svg.append("path").attr("fill", "none").attr("stroke", "#000").attr("stroke-width", 2)
            .attr("pointer-events", "none");
        drawSliced(this.back, all, (i) => this.line(this.back, i));
    }

    axis(axis, k) {
        const stagger = this.axes.length > 7 && k % 2 ? 14 : 0;
        const anchor = k === 0 ? "start" : k === this.axes.length - 1 ? "end" : "middle";
        const shift = k === 0 ? -this.margin.left : k === this.axes.length - 1 ? this.margin.right : 0;
        this.title(axis.column, axis.x + shift, 14 + stagger).style("text-anchor", anchor);
        const group = this.svg.append("g").attr("transform", `translate(${axis.x},0)`);
        group.call(axisOf(d3.axisLeft, axis.scale, axis.column, 6));
        axis.brush = d3.brushY().extent([[-10, this.margin.top], [10, this.height - this.margin.bottom]]);
        const self = this;
        axis.brush.on("brush end", function (first) {
            if (!self.placing) { self.brushed(axis, eventOf(first)); }
        });
        axis.group = group.append("g").attr("class", "brush").call(axis.brush);
    }

    brushed(axis, event) {
        const pixels = event.selection;
        const range = pixels && [axis.scale.invert(pixels[1]), axis.scale.invert(pixels[0])];
        this.changed({[axis.column.name]: range}, event.type === "end");
    }

    // Brushes tell of being moved whoever moves them.
    placeBrushes(ranges) {
        this.placing = true;
        this.axes.forEach((axis) => {
            const range = ranges.get(axis.column.name);
            const inside = range && range.map((v) => Math.min(Math.max(v, axis.scale.domain()[0]), axis.scale.domain()[1]));
            axis.group.call(axis.brush.move, inside ? [axis.scale(inside[1]), axis.scale(inside[0])] : null);
        });
        this.placing = false;
    }

    y(axis, i) {
        const value = axis.column.values[i];
        return value === null ? NaN : axis.scale(value);
    }

    path(context, i) {
        let pen = false;
        for (const axis of this.axes) {
            const y = this.y(axis, i);
            if (y !== y) { pen = false; continue; }
            if (pen) { context.lineTo(axis.x, y); } else { context.moveTo(axis.x, y); }
            pen = true;
        }
    }

    line(context, i) {
        context.beginPath();
        this.path(context, i);
        context.stroke();
    }

    draw(rows, colour) {
        const alpha = fading(rows, 0.12);
        drawSliced(this.top, rows, (i) => {
            this.top.strokeStyle = colour(i);
            this.top.lineWidth = onFront[i] ? 1.4 : 0.6;
            this.top.globalAlpha = onFront[i] ? 0.9 : alpha;
            this.line(this.top, i);
        });
    }

    mark(i) {
        const path = d3.path();
        this.path(path, i);
        this.marked.attr("d", path.toString());
    }

    // The row whose line passes nearest to a place between two axes.
    nearest(x, y, rows) {
        if (this.axes.length < 2) { return -1; }
        const k = Math.min(Math.max(d3.bisector((a) => a.x).left(this.axes, x), 1), this.axes.length - 1);
        const [a, b] = [this.axes[k - 1], this.axes[k]];
        const share = (x - a.x) / (b.x - a.x);
        let best = -1, least = 12;
        for (const i of rows) {
            const away = Math.abs((1 - share) * this.y(a, i) + share * this.y(b, i) - y);
            if (away < least) { least = away; best = i; }
        }
        return best;
    }
}

class Scatter extends Chart {
    constructor(place, changed) {
        super(place, 340, {left: 64, right: 14, top: 12, bottom: 44});
        this.changed = changed;
    }

    reset(x, y, all) {
        this.start();
        const {left, right, top, bottom} = this.margin;
        Object.assign(this, {columns: [x, y], x: scaleOf(x, [left, this.width - right]),
            y: scaleOf(y, [this.height - bottom, top])});
        this.svg.append("g").attr("transform", `translate(0,${this.height - bottom + 4})`)
            .call(axisOf(d3.axisBottom, this.x, x, 6));
        this.svg.append("g").attr("transform", `translate(${left - 4},0)`).call(axisOf(d3.axisLeft, this.y, y, 6));
        this.title(x, (left + this.width - right) / 2, this.height - 6);
        this.title(y, 0, 0).attr("transform", `translate(12,${(top + this.height - bottom) / 2}) rotate(-90)`);
        this.brush = d3.brush().extent([[left - 4, top - 4], [this.width - right + 4, this.height - bottom + 4]]);
        const self = this;
        this.brush.on("brush end", function (first) {
            if (!self.placing) { self.brushed(eventOf(first)); }
        });
        this.group = this.svg.append("g").attr("class", "brush").call(this.brush);
        this.marked = this.svg.append("circle").attr("r", 6).attr("fill", "none").attr("stroke", "#000")
            .attr("stroke-width", 2).attr("pointer-events", "none").attr("visibility", "hidden");
        drawSliced(this.back, all, (i) => this.dot(this.back, i, 1.5));
    }

    brushed(event) {
        const box = event.selection;
        const [x, y] = this.columns;
        const range = (scale, from, to) => box && [scale.invert(from), scale.invert(to)];
        this.changed({[x.name]: range(this.x, box && box[0][0], box && box[1][0]),
            [y.name]: range(this.y, box && box[1][1], box && box[0][1])}, event.type === "end");
    }

    clear() {
        this.placing = true;
        this.group.call(this.brush.move, null);
        this.placing = false;
    }

    at(i) {
        const [x, y] = this.columns.map((c) => c.values[i]);
        return x === null || y === null ? null : [this.x(x), this.y(y)];
    }

    dot(context, i, radius) {
        const at = this.at(i);
        if (!at) { return; }
        context.beginPath();
        context.arc(at[0], at[1], radius, 0, 7);
        context.fill();
    }

    draw(rows, colour) {
        const alpha = fading(rows, 0.35);
        drawSliced(this.top, rows, (i) => {
            this.top.fillStyle = colour(i);
            this.top.globalAlpha = onFront[i] ? 1 : alpha;
            this.dot(this.top, i, onFront[i] ? 3 : 1.8);
        });
    }

    mark(i) {
        const at = this.at(i);
        this.marked.attr("visibility", at ? "visible" : "hidden");
        if (at) { this.marked.attr("cx", at[0]).attr("cy", at[1]); }
    }

    nearest(x, y, rows) {
        let best = -1, least = 100;
        for (const i of rows) {
            const at = this.at(i);
            const away = at ? (at[0] - x) ** 2 + (at[1] - y) ** 2 : Infinity;
            if (away < least) { least = away; best = i; }
        }
        return best;
    }
}
