// SPDX-License-Identifier: MIT
// How a run went while it was watched: points per second, the best so far, the front as it moved.
const EARLIER = 5;

function liveFigure(name, height, ...caption) {
    const svg = d3.create("svg").attr("viewBox", `0 0 300 ${height}`).attr("role", "img").attr("aria-label", name);
    return {svg, figure: element("figure", {}, element("figcaption", {}, ...caption), svg.node())};
}

function liveChart(name, times, values) {
    const x = d3.scaleLinear().domain(d3.extent(times)).range([4, 296]);
    const y = d3.scaleLinear().domain(d3.extent(values)).range([56, 4]);
    const points = values.map((v, k) => (v === null ? "" : `${x(times[k])},${y(v)}`)).filter((p) => p);
    const last = values[values.length - 1];
    const {svg, figure} = liveFigure(name, 60, `${name}: ${last === null ? "none" : d3.format(".4~g")(last)}`);
    svg.append("polyline").attr("points", points.join(" ")).attr("fill", "none").attr("stroke", PALETTE[0]).attr("stroke-width", 2);
    return figure;
}

// Of the fronts before the last those that differ, a few of them evenly.
function earlierFronts(moments) {
    const kept = [], last = moments[moments.length - 1], looks = (m) => JSON.stringify(m.plane);
    moments.forEach((m) => {
        if (m.plane && m.plane.length && looks(m) !== looks(last) && !(kept.length && looks(m) === looks(kept[kept.length - 1]))) { kept.push(m); }
    });
    const step = Math.max(1, (kept.length - 1) / (EARLIER - 1));
    return d3.range(Math.min(EARLIER, kept.length)).map((k) => kept[Math.round(k * step)]);
}

// Nothing better is known between two points of a front than the worse value of each: hence steps.
// The fronts of several workloads, or of more objectives, are dots alone.
function frontChart(objectives, moments, simple) {
    const fronts = [...earlierFronts(moments), moments[moments.length - 1]], all = fronts.flatMap((m) => m.plane);
    const scale = (k, range) => {
        const ends = d3.extent(all, (p) => p[k]), wide = ends[0] > 0 && ends[1] / ends[0] > 100;
        return (wide ? d3.scaleLog() : d3.scaleLinear()).domain(ends).range(range);
    };
    const x = scale(0, [44, 290]), y = scale(1, [146, 8]), now = (k) => k === fronts.length - 1;
    const faint = (k) => 0.25 + 0.35 * (k / fronts.length), name = `front in ${objectives[0].name} and ${objectives[1].name}`;
    const colour = (k) => PALETTE[now(k) ? 1 : 0], opacity = (k) => (now(k) ? 1 : faint(k));
    const after = fronts.map((m, k) => {
        const key = element("span", {className: "swatch"});
        Object.assign(key.style, {background: colour(k), opacity: opacity(k)});
        return element("span", {className: "key"}, key, `${count(m.rows)} `);
    });
    const {svg, figure} = liveFigure(name, 180, `${name}, after so many points: `, ...after);
    // A logarithmic scale has more marks than there is room for numbers.
    const axis = (make, scale, k) => {
        const few = scale.tickFormat(4), column = columnOf.get(objectives[k].name) || {unit: ""};
        return make(scale).ticks(4).tickFormat((v) => few(v) && numberText(v, column));
    };
    svg.append("g").attr("transform", "translate(0,150)").call(axis(d3.axisBottom, x, 0));
    svg.append("g").attr("transform", "translate(40,0)").call(axis(d3.axisLeft, y, 1));
    fronts.forEach((m, k) => {
        const group = svg.append("g").attr("class", now(k) ? "now" : "earlier").attr("opacity", opacity(k));
        const points = m.plane.slice().sort((p, q) => (objectives[0].lower ? p[0] - q[0] : q[0] - p[0]));
        group.append("title").text(`after ${count(m.rows)} points`);
        if (simple) {
            const line = d3.line().x((p) => x(p[0])).y((p) => y(p[1])).curve(d3.curveStepAfter);
            group.append("path").attr("d", line(points)).attr("fill", "none").attr("stroke", colour(k)).attr("stroke-width", 1.5);
        }
        points.forEach((p) => group.append("circle").attr("cx", x(p[0])).attr("cy", y(p[1])).attr("r", 2).attr("fill", colour(k)));
    });
    return figure;
}

function drawLive({objectives, moments, simple}) {
    const times = moments.map((m) => m.time), last = moments[moments.length - 1];
    const rate = moments.map((m, k) => (k ? (m.rows - moments[k - 1].rows) / Math.max(m.time - moments[k - 1].time, 0.1) : null));
    if (moments.length < 2) { return; }
    byId("live").hidden = false;
    byId("live").append(...(last.plane && last.plane.length ? [frontChart(objectives, moments, simple)] : []),
        liveChart("points per second", times, rate), liveChart("points on the front", times, moments.map((m) => m.front)),
        ...objectives.map(({name}, k) => liveChart(`best ${name} so far`, times, moments.map((m) => m.best[k]))));
}
