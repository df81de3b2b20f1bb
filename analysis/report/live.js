// SPDX-License-Identifier: MIT
// How a run went while it was watched: points per second, the best so far, the size of the front.

function liveChart(name, times, values) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const x = d3.scaleLinear().domain(d3.extent(times)).range([4, 296]);
    const y = d3.scaleLinear().domain(d3.extent(values)).range([56, 4]);
    const points = values.map((v, k) => (v === null ? "" : `${x(times[k])},${y(v)}`)).filter((p) => p);
    svg.setAttribute("viewBox", "0 0 300 60");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", name);
    const line = document.createElementNS(svg.namespaceURI, "polyline");
    for (const [key, value] of [["points", points.join(" ")], ["fill", "none"], ["stroke", PALETTE[0]], ["stroke-width", 2]]) {
        line.setAttribute(key, value);
    }
    svg.append(line);
    const last = values[values.length - 1];
    return element("figure", {}, element("figcaption", {textContent: `${name}: ${last === null ? "none" : d3.format(".4~g")(last)}`}), svg);
}

function drawLive({objectives, moments}) {
    const times = moments.map((m) => m.time);
    const rate = moments.map((m, k) => (k ? (m.rows - moments[k - 1].rows) / Math.max(m.time - moments[k - 1].time, 0.1) : null));
    if (moments.length < 2) { return; }
    byId("live").hidden = false;
    byId("live").append(liveChart("points per second", times, rate), liveChart("points on the front", times, moments.map((m) => m.front)),
        ...objectives.map((name, k) => liveChart(`best ${name} so far`, times, moments.map((m) => m.best[k]))));
}
