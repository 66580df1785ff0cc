// Inputs of the panel: a label, a control, and what to do when it changes.
export function element(tag, className = "", text = "") {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
}

function row(title, control, name) {
    const label = element("label", "draw-row");
    label.append(element("span", "", title), control);
    control.dataset.field = name;
    return label;
}

/** A number with limits; what is no number within them is put back. */
export function numberField(name, { title, unit = "", least = -1e7, most = 1e7, step = "any" }, value, changed) {
    const input = element("input");
    Object.assign(input, { type: "number", value, min: least, max: most, step: "any", inputMode: "decimal" });
    input.addEventListener("change", () => {
        const given = Number(input.value);
        if (input.value.trim() === "" || !Number.isFinite(given)) { input.value = value; return; }
        value = Math.min(most, Math.max(least, given));
        input.value = value;
        changed(value);
    });
    // Arrows go by a step that makes sense, while any number may be typed.
    input.addEventListener("keydown", event => {
        const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!way || step === "any") return;
        event.preventDefault();
        input.value = Math.round((Number(input.value) + way * step) * 1e6) / 1e6;
        input.dispatchEvent(new Event("change"));
    });
    const box = element("span", "draw-number");
    box.append(input, element("i", "", unit));
    const made = row(title, box, name);
    input.dataset.field = name;
    return made;
}

/** Text that `read` turns into a value; null from it marks the field as wrong. */
export function textField(name, title, value, hint, read, changed) {
    const input = element("input");
    Object.assign(input, { type: "text", value, placeholder: hint });
    input.addEventListener("change", () => {
        const found = read(input.value);
        input.classList.toggle("wrong", found === null);
        if (found !== null) changed(found, input.value);
    });
    return row(title, input, name);
}

export function selectField(name, title, choices, value, changed) {
    const select = element("select");
    for (const [key, words] of choices) {
        const option = element("option", "", words);
        option.value = key;
        option.selected = String(key) === String(value);
        select.append(option);
    }
    select.addEventListener("change", () => changed(select.value));
    return row(title, select, name);
}

export function switchField(name, title, value, changed) {
    const input = element("input", "draw-switch");
    Object.assign(input, { type: "checkbox", checked: value });
    input.addEventListener("change", () => changed(input.checked));
    return row(title, input, name);
}

/** A few words side by side, one of which holds. */
export function choiceField(name, title, choices, value, changed) {
    const box = element("div", "draw-choice");
    box.setAttribute("role", "radiogroup");
    box.setAttribute("aria-label", title);
    for (const [key, words] of choices) {
        const button = element("button", key === value ? "on" : "", words);
        Object.assign(button, { type: "button" });
        button.dataset.field = `${name}-${key}`;
        button.setAttribute("role", "radio");
        button.setAttribute("aria-checked", String(key === value));
        button.addEventListener("click", () => changed(key));
        box.append(button);
    }
    return box;
}

/** Materials by their colours. */
export function materialField(name, materials, value, changed) {
    const box = element("div", "draw-materials");
    materials.forEach((material, index) => {
        const button = element("button", index === value ? "on" : "");
        Object.assign(button, { type: "button", title: material.name });
        button.dataset.field = `${name}-${material.name}`;
        button.setAttribute("aria-pressed", String(index === value));
        const colour = element("i");
        colour.style.background = material.colour;
        button.append(colour, element("span", "", material.name));
        button.addEventListener("click", () => changed(index));
        box.append(button);
    });
    return box;
}

export function button(words, className, clicked, name = "") {
    const made = element("button", `draw-button ${className}`, words);
    made.type = "button";
    made.dataset.field = name;
    made.addEventListener("click", clicked);
    return made;
}
