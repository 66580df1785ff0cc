// The switch that lets the camera go where a robot goes (see Watch.followRobot), until it is moved by hand.
export function attachFollow(watch) {
    watch.addEventListener("select", () => { if (watch.followed !== null) watch.followRobot(watch.selected); });
    return {
        toggle() {
            watch.followRobot(watch.followed === null ? watch.selected ?? 0 : null);
            if (watch.followed !== null && watch.selected === null) watch.select(watch.followed);
        },
        stop: () => watch.followRobot(null),
    };
}
