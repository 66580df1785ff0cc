// What is drawn and not saved, kept in the browser's database: it survives a reload, a crash, and a server that is gone.
const NAME = "expedition-draw", STORE = "drafts", KEY = "latest";

function database() {
    return new Promise((resolve, reject) => {
        const opening = indexedDB.open(NAME, 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
    });
}

async function within(mode, work) {
    const opened = await database();
    try {
        return await new Promise((resolve, reject) => {
            const asked = work(opened.transaction(STORE, mode).objectStore(STORE));
            asked.onsuccess = () => resolve(asked.result);
            asked.onerror = () => reject(asked.error);
        });
    } finally { opened.close(); }
}

/** Keep a frame of a drawing, as `{frame, saved}`; a browser that keeps nothing is no reason to stop drawing. */
export async function keepDraft(draft) { try { await within("readwrite", store => store.put(draft, KEY)); } catch { /* As said. */ } }
export async function readDraft() { try { return await within("readonly", store => store.get(KEY)) ?? null; } catch { return null; } }
export async function dropDraft() { try { await within("readwrite", store => store.delete(KEY)); } catch { /* Nothing kept. */ } }
