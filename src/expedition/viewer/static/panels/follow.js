// The camera goes where a robot goes, until it is moved by hand.
export function attachFollow(watch) {
    let own = false;
    watch.followed = null;
    watch.addEventListener("frame", () => {
        if (watch.followed === null) return;
        const { state, followed } = watch, poses = watch.sides === "truth" ? state.poses : state.believed;
        own = true;
        watch.camera.moveTo(poses[3 * followed], poses[3 * followed + 1]);
        own = false;
    });
    let scale = watch.camera.scale;
    watch.camera.addEventListener("change", () => {
        if (!own && watch.followed !== null && watch.camera.scale === scale) stop();
        scale = watch.camera.scale;
    });
    watch.addEventListener("select", () => { if (watch.followed !== null && watch.followed !== watch.selected) { watch.followed = watch.selected; } });
    const stop = () => { watch.followed = null; watch.tell("follow"); };
    return {
        toggle() {
            watch.followed = watch.followed === null ? watch.selected ?? 0 : null;
            if (watch.followed !== null && watch.selected === null) watch.select(watch.followed);
            watch.tell("follow");
            watch.redraw();
        },
        stop,
    };
}
