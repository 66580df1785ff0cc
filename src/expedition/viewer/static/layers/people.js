// People who walk about.
export const people = {
    name: "people", title: "People", group: "world", sheet: "fast", on: true,
    help: "People who walk about, as they really do",
    draw({ context, mission, state, scale, theme }) {
        const found = state.people, radii = mission.terrain.people;
        if (!found.length) return;
        context.beginPath();
        for (let k = 0; 2 * k < found.length; k++) {
            const x = found[2 * k], y = found[2 * k + 1], radius = Math.max(radii[k] ?? 0.25, 4 / scale);
            context.moveTo(x + radius, y);
            context.arc(x, y, radius, 0, 2 * Math.PI);
            // Shoulders, so that nobody takes them for robots.
            context.moveTo(x + 1.6 * radius, y);
            context.ellipse(x, y, 1.6 * radius, 0.7 * radius, 0, 0, 2 * Math.PI);
        }
        context.fillStyle = theme.person;
        context.fill();
        context.strokeStyle = theme.halo;
        context.lineWidth = 1 / scale;
        context.stroke();
    },
};
