// SPDX-License-Identifier: MIT
// Two columns as a plane: cells by how many rows they hold, dots for few rows.
class Scatter extends Chart {
    constructor(place, told) {
        super(place, 360, {left: 74, right: 14, top: 12, bottom: 46});
        this.told = told;
    }

    reset(x, y) {
        this.start(Math.max(280, this.place.parentElement.clientWidth));
        const {left, right, top, bottom} = this.margin, on = (column, range) => {
            const axis = state.axes.find((a) => a.name === column.name) || {log: prefersLog(column)};
            const scale = scaleOf(column, axis.log, range);
            return {column, log: axis.log, scale, at: Float32Array.from(column.values, (v) => scale(v)), active: binsOf(column, axis.log, ACTIVE_BINS)};
        };
        this.x = on(x, [left, this.width - right]);
        this.y = on(y, [this.height - bottom, top]);
        this.pair = binPair(x, this.x.log, y, this.y.log, PLANE_BINS);
        this.box = {x: left, y: top, width: this.width - left - right, height: this.height - top - bottom, flips: [false, false]};
        this.axis(this.x, d3.axisBottom, `translate(0,${this.height - bottom + 4})`, (left + this.width - right) / 2, this.height - 6, 0);
        this.axis(this.y, d3.axisLeft, `translate(${left - 4},0)`, 12, (top + this.height - bottom) / 2, -90);
        this.brushable();
        this.marked = this.svg.append("circle").attr("r", 6).attr("class", "marked").attr("visibility", "hidden");
    }

    axis({column, scale}, make, move, x, y, turn) {
        const ticks = make === d3.axisBottom ? Math.max(3, Math.round(this.width / 90)) : 6;
        this.svg.append("g").attr("transform", move).call(axisOf(make, scale, column, ticks));
        const text = this.svg.append("text").attr("class", "title").text(column.name + (scale.shift ? " \u2212 1" : ""));
        text.attr("transform", `translate(${x},${y}) rotate(${turn})`);
        text.append("tspan").attr("class", "unit").text(unitOf(column) ? ` (${unitOf(column)})` : "");
        text.append("title").text(column.doc);
    }

    brushable() {
        const {x, y, width, height} = this.box, self = this;
        this.brush = d3.brush().extent([[x - 4, y - 4], [x + width + 4, y + height + 4]]);
        this.brush.on("brush end", function (first) {
            if (!self.placing) { self.brushed(eventOf(first)); }
        });
        this.group = this.svg.append("g").attr("class", "brush").call(this.brush);
    }

    brushed(event) {
        const pixels = event.selection;
        const range = (axis, from, to) => {
            const [a, b] = axis.scale.range(), ends = [(from - a) / (b - a), (to - a) / (b - a)].sort((p, q) => p - q);
            return binsBetween(axis.active, ends[0] - 1e-9, ends[1] + 1e-9);
        };
        this.told.box([[this.x, pixels && range(this.x, pixels[0][0], pixels[1][0])],
            [this.y, pixels && range(this.y, pixels[0][1], pixels[1][1])]], event.type === "end");
    }

    unbrush() {
        this.placing = true;
        this.group.call(this.brush.move, null);
        this.placing = false;
    }

    density(context, part, look) {
        context.save();
        drawPlane(context, this.box, this.pair, part, look.tint);
        context.restore();
    }

    dots(context, rows, colour, least) {
        const alpha = fading(rows, least);
        this.sliced(context, rows, (row) => {
            const x = this.x.at[row.code(this.x.column)], y = this.y.at[row.code(this.y.column)];
            if (Number.isNaN(x + y)) { return; }
            context.fillStyle = colour(row);
            context.globalAlpha = row.front ? 1 : alpha;
            context.beginPath();
            context.arc(x, y, row.front ? 3 : 1.8, 0, 7);
            context.fill();
        });
    }

    mark(row) {
        const x = this.x.at[row.code(this.x.column)], y = this.y.at[row.code(this.y.column)], there = !Number.isNaN(x + y);
        this.marked.attr("visibility", there ? "visible" : "hidden");
        if (there) { this.marked.attr("cx", x).attr("cy", y); }
    }

    question(x, y) {
        const of = (axis) => ({column: axis.column.index, at: axis.at});
        return {a: of(this.x), b: of(this.y), x, y, share: null, reach: 10};
    }
}
