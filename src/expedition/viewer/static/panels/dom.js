// Elements of the page: those that NiceGUI made are found by their part, others are made here. Never from HTML text.
export const find = name => document.querySelector(`[data-part="${name}"]`);

export function make(tag, className = "", text = "", attributes = {}) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== "") element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
}

/** Write a text if it is another one than before: the page is laid out anew for what changed only. */
export function say(element, text) {
    if (element.said === text) return;
    element.said = text;
    element.textContent = text;
}

export function mark(element, className, on) {
    if (element.classList.contains(className) !== on) element.classList.toggle(className, on);
}

/** Seconds as m:ss.s. */
export function clockText(seconds, digits = 1) {
    const tick = 10 ** digits, whole = Math.round(Math.max(0, seconds) * tick) / tick;
    const minutes = Math.floor(whole / 60 + 1e-9), rest = Math.max(0, whole - 60 * minutes).toFixed(digits);
    return `${minutes}:${rest.padStart(digits ? 3 + digits : 2, "0")}`;
}

export function bytesText(bytes) {
    if (bytes < 1000) return `${Math.round(bytes)} B`;
    const power = Math.min(4, Math.floor(Math.log10(bytes) / 3));
    return `${Number((bytes / 1000 ** power).toPrecision(3))} ${["B", "kB", "MB", "GB", "TB"][power]}`;
}

export const percent = (share, digits = 0) => (Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : "–");

/** A canvas as sharp as the screen, resized when its element is; `draw(context, width, height)` gets CSS pixels. */
export function sharpCanvas(canvas, draw) {
    const context = canvas.getContext("2d");
    let width = 0, height = 0;
    const paint = () => {
        if (!width || !height) return;
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        const wide = Math.round(width * ratio), high = Math.round(height * ratio);
        if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        draw(context, width, height);
    };
    new ResizeObserver(([{ contentRect }]) => { ({ width, height } = contentRect); paint(); }).observe(canvas);
    return { paint, get width() { return width; }, get height() { return height; } };
}

/** What is remembered in this browser; nothing where that is forbidden. */
export const memory = {
    get(name, otherwise = null) {
        try { return JSON.parse(localStorage.getItem(`expedition.${name}`)) ?? otherwise; } catch { return otherwise; }
    },
    set(name, value) {
        try { localStorage.setItem(`expedition.${name}`, JSON.stringify(value)); } catch { /* Then it is not kept. */ }
    },
};
