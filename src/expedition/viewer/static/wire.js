// The WebSocket: questions go out as JSON, answers come back as frames of bytes (see wire.py).
const TYPES = {u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, f4: Float32Array, f8: Float64Array};

async function unpacked(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
}

/** The head of a frame, with `arrays` as typed arrays that know their `shape`. */
export async function decode(buffer) {
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    const arrays = {};
    for (const [name, place] of Object.entries(head.arrays)) {
        const at = 4 + length + place.at;
        const data = place.packed ? await unpacked(new Uint8Array(buffer, at, place.bytes)) : buffer;
        const type = TYPES[place.type];
        const count = place.shape.reduce((product, size) => product * size, 1);
        arrays[name] = new type(data, place.packed ? 0 : at, count);
        arrays[name].shape = place.shape;
    }
    head.arrays = arrays;
    return head;
}

/** A connection that comes back by itself. `hear(frame)` gets what nobody asked for: the hello, news, the end. */
export class Wire {
    constructor(path, hear, onState = () => {}) {
        this.path = path;
        this.hear = hear;
        this.onState = onState;
        this.waiting = new Map();
        this.number = 0;
        this.pause = 500;
        this.received = 0;
        this.delivered = Promise.resolve();
        this.connect();
    }

    connect() {
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        this.socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
        this.socket.binaryType = "arraybuffer";
        this.socket.onopen = () => { this.pause = 500; this.onState("open"); };
        this.socket.onmessage = event => this.take(event.data);
        this.socket.onclose = event => {
            for (const { reject } of this.waiting.values()) reject(new Error("the connection was lost"));
            this.waiting.clear();
            if (event.code === 4404) { this.onState("gone", event.reason); return; }
            this.onState("closed");
            setTimeout(() => this.connect(), this.pause);
            this.pause = Math.min(8000, 2 * this.pause);
        };
    }

    /** A small frame is unpacked before a large one that came earlier; both are delivered in the order they came. */
    take(data) {
        this.received += data.byteLength;
        const earlier = this.delivered, frame = decode(data);
        this.delivered = (async () => {
            await earlier;
            try { this.deliver(await frame); } catch (error) { reportError(error); }
        })();
    }

    deliver(frame) {
        const asked = this.waiting.get(frame.id);
        if (!asked) { this.hear(frame); return; }
        this.waiting.delete(frame.id);
        if (frame.kind === "error") asked.reject(new Error(frame.why)); else asked.resolve(frame);
    }

    /** The answer to a question, as `ask("map", {which: "union", time: 3})`. */
    ask(what, fields = {}) {
        if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("not connected"));
        const id = ++this.number;
        this.socket.send(JSON.stringify({ ask: what, id, ...fields }));
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }
}
