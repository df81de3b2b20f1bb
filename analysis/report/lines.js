// SPDX-License-Identifier: MIT
// A chart: two canvases, one for all rows and one for what is selected, below an SVG for axes and brushes.
// Lines and dots are drawn a slice per frame, so that none of them holds up a brush.
const SLICE = 1000;

class Chart {
    constructor(place, height, margin) {
        Object.assign(this, {place: byId(place), height, margin, placing: false});
    }

    start(width) {
        this.width = width;
        this.place.replaceChildren();
        this.place.style.height = this.height + "px";
        this.back = this.layer();
        this.top = this.layer();
        this.svg = d3.select(this.place).append("svg").attr("width", this.width).attr("height", this.height);
    }

    layer() {
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        const canvas = element("canvas", {width: this.width * ratio, height: this.height * ratio, ariaHidden: "true"});
        canvas.style.width = this.width + "px";
        canvas.style.height = this.height + "px";
        this.place.append(canvas);
        const context = canvas.getContext("2d");
        context.scale(ratio, ratio);
        return context;
    }

    clear(context) {
        context.turn = (context.turn || 0) + 1;
        context.globalAlpha = 1;
        context.clearRect(0, 0, this.width, this.height);
    }

    // Goes on in later frames, until the layer is cleared.
    sliced(context, rows, draw) {
        const turn = context.turn;
        const slice = (at) => {
            if (context.turn !== turn) { return; }
            const end = Math.min(at + SLICE, rows.length);
            for (let k = at; k < end; k++) { draw(rows[k]); }
            if (end < rows.length) { requestAnimationFrame(() => slice(end)); }
        };
        slice(0);
    }
}

// The more there are, the fainter each: what is dense stays told apart.
const fading = (rows, least) => Math.max(least, Math.min(0.9, 600 / rows.length));
