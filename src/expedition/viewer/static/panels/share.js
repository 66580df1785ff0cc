// Sharing: a link to what is seen, a picture of it, and a hint how to make a film.
import { find } from "./dom.js";
import { addressOf } from "./place.js";

export function attachShare(watch) {
    const popup = find("share"), link = find("link"), plays = find("link-plays");
    const copied = popup.querySelector("[data-act=copy-link]");

    const refresh = () => { link.value = addressOf(watch, plays.checked); };
    plays.addEventListener("change", refresh);
    link.addEventListener("focus", () => link.select());

    function save(data, ending) {
        const a = document.createElement("a");
        a.href = URL.createObjectURL(data);
        a.download = `${decodeURIComponent(location.pathname.split("/").pop())}-${watch.clock.time.toFixed(1)}s.${ending}`;
        a.click();
        setTimeout(() => URL.revokeObjectURL(a.href), 10000);
    }

    return {
        get isOpen() { return !popup.hidden; },
        toggle(on = popup.hidden) { popup.hidden = !on; if (on) refresh(); },
        async copy() {
            refresh();
            try { await navigator.clipboard.writeText(link.value); } catch {  // Where a page may not: over plain HTTP.
                link.select();
                document.execCommand("copy");
            }
            copied.classList.add("done");
            setTimeout(() => copied.classList.remove("done"), 1500);
        },
        async png() {
            const canvas = await watch.picture(2);
            const data = canvas.convertToBlob ? await canvas.convertToBlob({ type: "image/png" }) : await new Promise(done => canvas.toBlob(done, "image/png"));
            save(data, "png");
        },
        async svg() { save(new Blob([await watch.svg()], { type: "image/svg+xml" }), "svg"); },
    };
}
