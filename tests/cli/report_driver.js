// Put at the end of a report by the test: acts as a user would and writes down what was seen.
const seen = [];
const note = (name, value) => seen.push(`${name}: ${value}`);
window.addEventListener("error", (event) => note("error", event.message));
const mouse = (target, type, x, y) => target.dispatchEvent(
    new MouseEvent(type, {bubbles: true, cancelable: true, view: window, clientX: x, clientY: y}));
const tableRows = (id) => document.querySelectorAll(`#${id} tbody tr`).length;

function drag(target, from, to) {
    mouse(target, "mousedown", ...from);
    mouse(window, "mousemove", ...to);
    note("while brushing", byId("count").value);
    mouse(window, "mouseup", ...to);
}

const steps = [
    () => note("at first", byId("count").value),
    () => note("front rows", tableRows("front")),
    () => {
        const box = document.querySelector("#parallel .brush .overlay").getBoundingClientRect();
        drag(document.querySelector("#parallel .brush .overlay"),
            [box.x + box.width / 2, box.y + box.height * 0.45], [box.x + box.width / 2, box.bottom - 1]);
    },
    () => note("brushed", byId("count").value),
    () => note("table rows", tableRows("selection")),
    () => byId("csv").click(),
    () => note("csv rows", byId("text").value.trim().split("\n").length - 1),
    () => byId("sweep").click(),
    () => note("sweep file", btoa(byId("text").value)),
    () => byId("clear").click(),
    () => note("cleared", byId("count").value),
    () => {
        document.querySelectorAll("details").forEach((d) => { d.open = true; });
        const input = byId("range-1-x1");
        input.value = "0.1";
        input.dispatchEvent(new Event("change"));
    },
    () => note("by keyboard", byId("count").value),
    () => note("focus stays", document.activeElement.id),
    () => document.querySelector("#front th button").click(),
    () => note("sorted", document.querySelector("#front th").ariaSort),
    () => mouse(byId("scatter").querySelector(".overlay"), "mousemove",
        ...[byId("scatter").getBoundingClientRect()].map((b) => [b.x + 66, b.bottom - 50])[0]),
    () => note("details", document.querySelectorAll("#detail dt").length),
];

function next() {
    const step = steps.shift();
    if (step) {
        step();
        setTimeout(next, 50);
    } else {
        document.body.append(element("pre", {id: "seen"}, seen.join("\n")));
    }
}
window.addEventListener("load", () => setTimeout(next, 100));
