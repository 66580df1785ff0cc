export class Watch { constructor(el, address) { el.textContent = "…"; } close() {} }
