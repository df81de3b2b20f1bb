// SPDX-License-Identifier: MIT
// The way to the worker, which holds the rows: one question at a time is under way, and of questions of
// one kind that wait only the last is asked.
const engine = {
    waiting: new Map(), next: 1, busy: null,

    start() {
        const source = byId("worker").textContent;
        const address = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
        this.worker = new Worker(address);
        this.worker.onmessage = ({data}) => this.take(data);
        this.worker.onerror = (event) => fault(event.message);
    },

    ask(question, given) {
        const id = this.next++;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, {resolve, reject});
            this.worker.postMessage({id, question, given});
        });
    },

    take({id, answer, error}) {
        const {resolve, reject} = this.waiting.get(id);
        this.waiting.delete(id);
        if (error) { reject(new Error(error)); } else { resolve(answer); }
    },
};

// Runs the newest of a kind of work; what came between is dropped.
class Latest {
    constructor(work) { Object.assign(this, {work, under: false, wanted: null}); }

    async run(...given) {
        this.wanted = given;
        if (this.under) { return; }
        this.under = true;
        try {
            while (this.wanted) {
                const now = this.wanted;
                this.wanted = null;
                await this.work(...now);
            }
        } catch (error) {
            fault(error.message);
        } finally {
            this.under = false;
        }
    }
}

function fault(text) {
    byId("fault").textContent = `This page cannot show its rows here: ${text}`;
    byId("fault").hidden = false;
}

async function openRows() {
    if (!window.Worker || !window.DecompressionStream) { throw new Error("the browser is too old to unpack them"); }
    engine.start();
    const pick = ({name, labels, levels, steps, low, high, log, codes, period}) =>
        ({name, labels, levels, steps, low, high, log, codes, period});
    const opened = await engine.ask("open", {body: byId("body").textContent, columns: columns.map(pick),
        shown: report.shown, points: report.points, front: report.front, pinned: report.pinned, exact: report.exact});
    byId("body").textContent = "";
    columns.forEach((c, k) => { c.values = opened.values[k]; });
    if (opened.exact) {
        opened.exact.rows.forEach((row, k) => exact.index.set(row, k));
        report.exact.columns.forEach((c, k) => exact.columns.set(c.name, {...c, numbers: opened.exact.values[k]}));
    }
    return opened;
}
