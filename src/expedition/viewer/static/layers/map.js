// The ground: how it is on the side of truth, how it is believed to be on the other.
export const map = {
    name: "map", title: "Map", sheet: "ground", on: true,
    draw({ context, keeper, mission }) {
        if (!keeper) return;
        const { origin, resolution, shape } = mission.frame;
        context.imageSmoothingEnabled = false;
        context.save();
        context.translate(origin[0], origin[1] + shape[0] * resolution);
        context.scale(resolution, -resolution);
        context.drawImage(keeper.canvas, 0, 0);
        context.restore();
    },
};
