// How objects look. Sizes on the screen have a least, so that nothing vanishes when one zooms out.
const DOOR = "#c2571a", PERSON = "#8e63ab", COLLAPSE = "#c9372c", LANDMARK = "#1a9850";

export function drawObjects(context, camera, objects, { selected, colours, dark }) {
    let number = 0;
    for (const object of objects) {
        const chosen = object.id === selected;
        if (object.kind === "door") drawDoor(context, camera, object, chosen);
        else if (object.kind === "person") drawPerson(context, camera, object, chosen);
        else if (object.kind === "collapse") drawCollapse(context, camera, object, chosen, dark);
        else if (object.kind === "landmark") drawLandmark(context, camera, object, chosen);
        else drawStart(context, camera, object, number++, colours, chosen);
    }
}

function box(camera, { left, bottom, right, top }) {
    const [x1, y1] = camera.screen(left, top), [x2, y2] = camera.screen(right, bottom);
    return [x1, y1, x2 - x1, y2 - y1];
}

/** Closed at first: a filled leaf. Open at first: its frame, and the leaf swung out. */
function drawDoor(context, camera, door, chosen) {
    const [x, y, width, height] = box(camera, door.area);
    const level = width >= height;
    const length = Math.max(width, height);
    context.lineWidth = chosen ? 3 : 1.8;
    context.strokeStyle = DOOR;
    context.fillStyle = door.closed ? DOOR : "rgba(194, 87, 26, 0.18)";
    context.fillRect(x, y, width, height);
    context.strokeRect(x, y, width, height);
    if (!door.closed) {
        const [hinge, turn] = level ? [[x, y + height / 2], -Math.PI / 2] : [[x + width / 2, y + height], 0];
        context.beginPath();
        context.moveTo(hinge[0] + length * Math.cos(turn), hinge[1] + length * Math.sin(turn));
        context.lineTo(...hinge);
        context.stroke();
        context.globalAlpha = 0.5;
        context.lineWidth = 1;
        context.beginPath();
        context.arc(...hinge, length, -Math.PI / 2, 0);
        context.stroke();
        context.globalAlpha = 1;
    }
    if (door.switches?.length || door.mean_open) clock(context, x + width / 2, y + height / 2, DOOR);
    if (chosen) outline(context, x, y, width, height);
}

/** It changes with time. */
function clock(context, x, y, colour) {
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
    context.fillStyle = "#fff";
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = colour;
    context.stroke();
    context.beginPath();
    context.moveTo(x, y - 4);
    context.lineTo(x, y);
    context.lineTo(x + 3, y + 1.5);
    context.stroke();
}

function drawPerson(context, camera, person, chosen) {
    const points = person.waypoints.map(([x, y]) => camera.screen(x, y));
    context.strokeStyle = context.fillStyle = PERSON;
    context.lineWidth = 1.5;
    if (points.length > 1) {
        context.setLineDash([6, 4]);
        context.beginPath();
        points.forEach(point => context.lineTo(...point));
        context.closePath();
        context.stroke();
        context.setLineDash([]);
    }
    points.slice(1).forEach(([x, y]) => { context.beginPath(); context.arc(x, y, 3.5, 0, 7); context.fill(); });
    const radius = Math.max(7, (person.radius ?? 0.25) * camera.scale);
    const [x, y] = points[0];
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = "#fff";
    context.beginPath();
    context.arc(x, y - 0.28 * radius, 0.27 * radius, 0, 2 * Math.PI);
    context.fill();
    context.beginPath();
    context.arc(x, y + 0.62 * radius, 0.5 * radius, Math.PI, 2 * Math.PI);
    context.fill();
    if (chosen) ring(context, x, y, radius + 4);
}

function drawCollapse(context, camera, collapse, chosen, dark) {
    const [x, y, width, height] = box(camera, collapse.area);
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.strokeStyle = COLLAPSE;
    context.globalAlpha = 0.45;
    context.lineWidth = 1.2;
    context.beginPath();
    for (let at = -height; at < width; at += 9) { context.moveTo(x + at, y + height); context.lineTo(x + at + height, y); }
    context.stroke();
    context.restore();
    context.strokeStyle = COLLAPSE;
    context.lineWidth = chosen ? 2.5 : 1.5;
    context.strokeRect(x, y, width, height);
    if (width > 44) label(context, x + width / 2, y + height / 2, `${collapse.time} s`, COLLAPSE, dark);
    if (chosen) outline(context, x, y, width, height);
}

function drawLandmark(context, camera, mark, chosen) {
    const [x, y] = camera.screen(mark.x, mark.y);
    const half = Math.min(6, Math.max(3, 0.12 * camera.scale));
    context.fillStyle = LANDMARK;
    context.strokeStyle = "#fff";
    context.lineWidth = 1;
    context.beginPath();
    for (const [dx, dy] of [[0, -1], [1, 0], [0, 1], [-1, 0]]) context.lineTo(x + dx * half * 1.3, y + dy * half * 1.3);
    context.closePath();
    context.fill();
    context.stroke();
    if (chosen) ring(context, x, y, half + 6);
}

function drawStart(context, camera, start, number, colours, chosen) {
    const [x, y] = camera.screen(start.x, start.y);
    const radius = Math.max(9, 0.3 * camera.scale);
    const [c, s] = [Math.cos(start.heading), -Math.sin(start.heading)];
    context.strokeStyle = context.fillStyle = colours[number % colours.length];
    context.beginPath();
    context.moveTo(x + 1.55 * radius * c, y + 1.55 * radius * s);
    for (const turn of [0.55, -0.55]) {
        const angle = Math.atan2(s, c) + turn;
        context.lineTo(x + 0.98 * radius * Math.cos(angle), y + 0.98 * radius * Math.sin(angle));
    }
    context.closePath();
    context.fill();
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = "#fff";
    context.font = `600 ${Math.max(11, Math.min(16, radius))}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(String(number), x, y + 0.5);
    if (chosen) ring(context, x, y, radius + 4);
}

export function label(context, x, y, text, colour, dark) {
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const width = context.measureText(text).width + 10;
    context.fillStyle = dark ? "rgba(20, 23, 28, 0.88)" : "rgba(255, 255, 255, 0.92)";
    context.beginPath();
    context.roundRect(x - width / 2, y - 9, width, 18, 5);
    context.fill();
    context.fillStyle = colour;
    context.fillText(text, x, y + 0.5);
}

function ring(context, x, y, radius) {
    context.strokeStyle = "#0a84ff";
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
}

function outline(context, x, y, width, height) {
    context.strokeStyle = "#0a84ff";
    context.lineWidth = 2;
    context.setLineDash([4, 3]);
    context.strokeRect(x - 4, y - 4, width + 8, height + 8);
    context.setLineDash([]);
}
