// To the server and back: a drawing is one frame of bytes (see viewer/draw/message.py).
import { decode } from "../wire.js";
import { Drawing, LAYERS } from "./drawing.js";

const PACK_FROM = 4096;

const worker = new Worker(new URL("./packer.js", import.meta.url));
const waiting = new Map();
let number = 0;
worker.onmessage = ({ data }) => { waiting.get(data.number)(new Uint8Array(data.packed)); waiting.delete(data.number); };

/** Bytes compressed as by zlib; the given ones are used up. */
function packed(bytes) {
    return new Promise(resolve => {
        waiting.set(++number, resolve);
        worker.postMessage({ number, bytes }, [bytes.buffer]);
    });
}

/** A drawing as a frame. Layers that are the same everywhere go as a number. */
export async function encode(drawing, more = {}) {
    const { name, rows, columns, resolution, origin } = drawing;
    const plain = ({ id, kind, ...rest }) => rest;
    const head = {
        kind: "terrain", id: null, name: name || "drawing", rows, columns, resolution, origin,
        changes: drawing.ofKind("door", "person", "collapse").map(({ id, ...change }) => change),
        landmarks: drawing.ofKind("landmark").map(plain),
        starts: drawing.ofKind("start").map(({ x, y, heading }) => [x, y, heading]),
        arrays: {}, ...more,
    };
    // All copies are made before the first wait, so that the frame shows one moment of the drawing.
    const copies = {};
    for (const layer of Object.keys(LAYERS)) {
        const data = drawing.layers[layer];
        if (uniform(data)) head[layer] = data[0]; else copies[layer] = data.slice();
    }
    const parts = [];
    let at = 0;
    for (const [layer, copy] of Object.entries(copies)) {
        const bytes = new Uint8Array(copy.buffer);
        const small = bytes.length >= PACK_FROM;
        const type = copy.BYTES_PER_ELEMENT === 2 ? "u2" : "u1";
        const data = small ? await packed(bytes) : bytes;
        head.arrays[layer] = { type, shape: [rows, columns], at, bytes: data.length, packed: small };
        const gap = (8 - data.length % 8) % 8;
        parts.push(data, new Uint8Array(gap));
        at += data.length + gap;
    }
    let text = JSON.stringify(head);
    let words = new TextEncoder().encode(text);
    words = new TextEncoder().encode(text + " ".repeat((8 - (words.length + 4) % 8) % 8));
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, words.length, true);
    return new Blob([length, words, ...parts]);
}

function uniform(data) {
    for (let index = 1; index < data.length; index++) if (data[index] !== data[0]) return false;
    return true;
}

/** The drawing in a frame, and what else its head says. */
export async function decoded(buffer) {
    const frame = await decode(buffer);
    return { drawing: Drawing.fromFrame(frame), head: frame };
}

/** Ask the server; an error with its sentence if it cannot. */
export async function ask(what, query = {}, content = null) {
    let response;
    try {
        const address = `/api/draw/${what}?${new URLSearchParams(query)}`;
        response = await fetch(address, content ? { method: "POST", body: content } : {});
    } catch {
        throw new Error("The server does not answer. What you have drawn is kept in this browser.");
    }
    if (response.ok) return response;
    let why = `the server answered ${response.status}`;
    try { why = (await response.json()).why ?? why; } catch { /* It is not one of our answers. */ }
    throw Object.assign(new Error(why[0].toUpperCase() + why.slice(1)), { status: response.status });
}

export async function askFrame(what, query, content = null) { return decode(await (await ask(what, query, content)).arrayBuffer()); }
