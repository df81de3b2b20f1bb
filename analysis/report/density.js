// SPDX-License-Identifier: MIT
// Counts of cells become pictures. Between two axes a cell is a bundle of lines; its rows are dealt to
// few columns of pixels, so that a picture costs the same for any number of rows.
const ACROSS = 16, DOWN = 64, BANDS = 520;

const rgbOf = (text) => { const c = d3.rgb(text); return [c.r, c.g, c.b]; };

class Bundle {
    constructor() {
        this.canvas = element("canvas", {width: ACROSS, height: DOWN});
        this.context = this.canvas.getContext("2d");
        this.image = this.context.createImageData(ACROSS, DOWN);
        this.mass = new Float32Array(ACROSS * (DOWN + 1));
        this.colour = new Float32Array(3 * this.mass.length);
    }

    // Places of bins in rows of pixels; an axis is drawn from bottom to top unless it is inverted.
    rowsOf(at, inverted) { return Float32Array.from(at, (p) => (inverted ? p : 1 - p) * (DOWN - 1)); }

    spread(cell, from, to, amount, colours) {
        for (let k = 0; k < ACROSS; k++) {
            const y = from + (to - from) * (k + 0.5) / ACROSS, row = y | 0, share = y - row, at = k * (DOWN + 1) + row;
            const one = amount * (1 - share), two = amount * share;
            this.mass[at] += one;
            this.mass[at + 1] += two;
            for (let c = 0; colours && c < 3; c++) {
                this.colour[3 * at + c] += one * colours[3 * cell + c];
                this.colour[3 * at + 3 + c] += two * colours[3 * cell + c];
            }
        }
    }

    paint(tint, colours, strength) {
        const most = Math.log1p(this.mass.reduce((a, b) => (a > b ? a : b), 0)) || 1, pixels = this.image.data;
        for (let k = 0; k < ACROSS; k++) {
            for (let row = 0; row < DOWN; row++) {
                const at = k * (DOWN + 1) + row, mass = this.mass[at], to = 4 * (row * ACROSS + k);
                for (let c = 0; c < 3; c++) { pixels[to + c] = colours ? this.colour[3 * at + c] / (mass || 1) : tint[c]; }
                pixels[to + 3] = mass ? 255 * strength * (0.08 + 0.92 * Math.log1p(mass) / most) : 0;
            }
        }
        this.context.putImageData(this.image, 0, 0);
    }

    // Few cells are drawn as they are, each a band as wide as its bins.
    bands(context, box, pair, {counts, colours}, {tint, strength, flips}) {
        const most = Math.log1p(counts.reduce((a, b) => (a > b ? a : b), 0)) || 1;
        const y = (p, flip) => box.y + (flip ? p : 1 - p) * box.height;
        const half = ({at, even}) => (even ? box.height / at.length / 2 : 1);
        const [one, two] = [half(pair.a), half(pair.b)];
        context.fillStyle = `rgb(${tint})`;
        for (let a = 0; a < pair.a.at.length; a++) {
            for (let b = 0; b < pair.b.at.length; b++) {
                const cell = a * pair.b.count + b, from = y(pair.a.at[a], flips[0]), to = y(pair.b.at[b], flips[1]);
                if (!counts[cell]) { continue; }
                if (colours) { context.fillStyle = `rgb(${colours.subarray(3 * cell, 3 * cell + 3).join(",")})`; }
                context.globalAlpha = strength * (0.1 + 0.8 * Math.log1p(counts[cell]) / most);
                context.beginPath();
                context.moveTo(box.x, from - one);
                context.lineTo(box.x + box.width, to - two);
                context.lineTo(box.x + box.width, to + two);
                context.lineTo(box.x, from + one);
                context.fill();
            }
        }
        context.globalAlpha = 1;
    }

    draw(context, box, pair, {counts, colours}, {tint, strength, flips}) {
        if (pair.a.at.length * pair.b.at.length <= BANDS) {
            this.bands(context, box, pair, {counts, colours}, {tint, strength, flips});
            return;
        }
        const from = this.rowsOf(pair.a.at, flips[0]), to = this.rowsOf(pair.b.at, flips[1]), width = pair.b.count;
        this.mass.fill(0);
        if (colours) { this.colour.fill(0); }
        for (let a = 0; a < from.length; a++) {
            for (let b = 0, cell = a * width; b < to.length; b++, cell++) {
                if (counts[cell]) { this.spread(cell, from[a], to[b], counts[cell], colours); }
            }
        }
        this.paint(tint, colours, strength);
        const row = box.height / (DOWN - 1);
        context.imageSmoothingEnabled = true;
        context.drawImage(this.canvas, box.x, box.y - row / 2, box.width, box.height + row);
    }
}

// Cells of a plane, each where its bins are; a bin is at least three pixels wide.
function drawPlane(context, box, pair, {counts, colours}, tint) {
    const wide = Math.max(3, box.width / (pair.a.at.length || 1)), high = Math.max(3, box.height / (pair.b.at.length || 1));
    const size = [Math.min(wide, box.width / 40), Math.min(high, box.height / 40)];
    const place = ([flip, p]) => (flip ? 1 - p : p);
    let most = 1;
    for (let a = 0; a < pair.a.at.length; a++) {
        for (let b = 0; b < pair.b.at.length; b++) { most = Math.max(most, counts[a * pair.b.count + b]); }
    }
    context.fillStyle = `rgb(${tint})`;
    for (let a = 0; a < pair.a.at.length; a++) {
        const x = box.x + place([box.flips[0], pair.a.at[a]]) * box.width - size[0] / 2;
        for (let b = 0; b < pair.b.at.length; b++) {
            const cell = a * pair.b.count + b;
            if (!counts[cell]) { continue; }
            if (colours) { context.fillStyle = `rgb(${colours[3 * cell]},${colours[3 * cell + 1]},${colours[3 * cell + 2]})`; }
            context.globalAlpha = 0.15 + 0.85 * Math.log1p(counts[cell]) / Math.log1p(most);
            context.fillRect(x, box.y + (1 - place([box.flips[1], pair.b.at[b]])) * box.height - size[1] / 2, size[0] + 0.5, size[1] + 0.5);
        }
    }
    context.globalAlpha = 1;
}
