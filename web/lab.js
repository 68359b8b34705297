// The page around the program: loads it, tells what is wrong, and does for it what only a script can. Its other half
// is src/app/platform/: each function that the program calls is declared in imports.rs there.
//
// gl.js, sapp_jsutils.js and quad-url.js are the loaders of the crates in Cargo.lock, copied by build.sh. They are
// plain scripts, so what they declare is seen here: canvas, plugins, importObject, wasm_memory, wasm_exports ...
"use strict";

(() => {
    if (window.incomplete) {
        return;
    }
    /// Of the program that fits this script; imports.rs says the same.
    const VERSION = 2;
    const { wasm: WASM, bytes: BYTES } = document.currentScript.dataset;

    const curtain = document.getElementById("curtain");
    const progress = document.getElementById("progress");
    const why = document.getElementById("why");
    const notice = document.getElementById("notice");
    const words = document.getElementById("words");

    // ---- What is told. ---------------------------------------------------------------------------------------

    let dead = false;

    /// The lab cannot go on, and why. The first reason is the one that counts.
    function fail(sentence, detail) {
        if (dead) {
            return;
        }
        dead = true;
        progress.hidden = true;
        why.textContent = sentence;
        curtain.classList.toggle("over", started);
        curtain.hidden = false;
        console.error(detail ?? sentence);
    }

    /// Shows a message until it is closed, or for so many milliseconds.
    function say(text, { warns = false, millis = 0 } = {}) {
        words.textContent = text;
        notice.classList.toggle("warns", warns);
        notice.hidden = false;
        clearTimeout(say.timer);
        if (millis > 0) {
            say.timer = setTimeout(hush, millis);
        }
    }

    function hush() {
        notice.hidden = true;
        canvas.focus({ preventScroll: true });
    }

    document.getElementById("close").addEventListener("click", hush);
    // gl.js puts the program's clipboard in place of what is copied on the page.
    for (const kind of ["copy", "cut"]) {
        notice.addEventListener(kind, (event) => event.stopPropagation());
    }

    // ---- What the program asks for. --------------------------------------------------------------------------

    const bytesAt = (place, length) => new Uint8Array(wasm_memory.buffer, place >>> 0, length);
    const textAt = (place, length) => new TextDecoder().decode(bytesAt(place, length));
    const query = () => new TextEncoder().encode(location.search.replace(/^\?/, ""));
    /// Before this time no frame begins.
    let held = 0;

    /// A browser may keep nothing for a page; then nothing is remembered.
    function stored(use) {
        try {
            return use(window.localStorage);
        } catch {
            return null;
        }
    }

    function download(name, blob) {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = name;
        link.click();
        // Who saves at leisure still finds it.
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    }

    async function copyLink(search) {
        const link = location.origin + location.pathname + (search && `?${search}`);
        // Two machines with knobs of their own have no words in an address.
        const but = new URLSearchParams(search).get("view") === "loops" ? ", but for the two machines' sliders" : "";
        try {
            await navigator.clipboard.writeText(link);
            say(`The link to these settings is copied${but}.`, { millis: 4000 });
        } catch {
            say(`The browser lets nothing be copied. This is the link to these settings${but}:\n${link}`);
        }
    }

    miniquad_add_plugin({
        name: "timeslice_lab",
        version: VERSION,
        register_plugin: ({ env }) => {
            env.lab_now = () => performance.now();
            env.lab_hold = (millis) => {
                held = millis > 0 ? performance.now() + millis : 0;
            };
            env.lab_webgl = () => webgl;
            env.lab_scale = () => dpi_scale();
            env.lab_query_length = () => query().length;
            env.lab_query = (place, length) => bytesAt(place, length).set(query().subarray(0, length));
            env.lab_log = (place, length) => console.log(textAt(place, length));
            env.lab_fail = (place, length) => {
                const told = textAt(place, length);
                fail(`The lab has broken down, which it never should. Reload the page to go on.\n\n${told}`, told);
            };
            env.lab_say = (place, length) => say(textAt(place, length), { warns: true });
            env.lab_title = (place, length) => {
                document.title = textAt(place, length);
            };
            env.lab_copy_link = (place, length) => void copyLink(textAt(place, length));
            env.lab_save = (name, length, bytes, count) => {
                download(textAt(name, length), new Blob([bytesAt(bytes, count).slice()]));
            };
            env.lab_recalls = (place, length) =>
                stored((storage) => storage.getItem(`timeslice-lab:${textAt(place, length)}`)) !== null;
            env.lab_remember = (place, length) =>
                void stored((storage) => storage.setItem(`timeslice-lab:${textAt(place, length)}`, ""));
        },
    });

    // ---- The canvas. -----------------------------------------------------------------------------------------

    /// Which WebGL there is: 2, 1 or 0. gl.js gets this very context when it asks for one: opaque, so that nothing
    /// shines through, and without multisampling, for which nothing here is drawn.
    function context() {
        const wanted = { alpha: false, antialias: false, depth: false, stencil: false, powerPreference: "high-performance" };
        if (canvas.getContext("webgl2", wanted)) {
            return 2;
        }
        const old = canvas.getContext("webgl", wanted);
        const enough = old?.getExtension("OES_vertex_array_object") && old.getExtension("WEBGL_depth_texture");
        return enough ? 1 : 0;
    }
    const webgl = context();

    canvas.addEventListener("webglcontextlost", () => {
        fail("The browser has taken the graphics away from this page. Reload it to go on.");
    });

    // gl.js takes the canvas's size in points, rounded, times the display's scale: where that is no whole number the
    // browser would have to stretch the picture. So the canvas gets whole pixels, and the size in points that they have.
    resize = (canvas, tell) => {
        const scale = dpi_scale();
        const [width, height] = [window.innerWidth, window.innerHeight].map((side) => Math.max(Math.floor(side * scale), 1));
        canvas.style.width = `${width / scale}px`;
        canvas.style.height = `${height / scale}px`;
        if (canvas.width !== width || canvas.height !== height) {
            canvas.width = width;
            canvas.height = height;
            tell?.(width, height);
        }
    };

    // Beyond two gigabytes an address comes as a number below zero; gl.js takes it as it comes.
    const usual_array = getArray;
    getArray = (place, kind, length) => usual_array(place >>> 0, kind, length);
    const usual_text = UTF8ToString;
    UTF8ToString = (place, most) => usual_text(place >>> 0, most);

    // ---- Input. ----------------------------------------------------------------------------------------------

    const key_codes = { "+": "Equal", "-": "Minus", "[": "BracketLeft", "]": "BracketRight", ".": "Period", "/": "Slash", "?": "Slash" };
    // gl.js has a number for this key that the program does not know.
    const usual_keycode = into_sapp_keycode;
    into_sapp_keycode = (code) => (code === "Slash" ? 47 : usual_keycode(code));

    /// What stands on a key counts, not where it lies; and what the browser does with a key is its own.
    function letThrough(event) {
        const own = /^(F\d+|Tab|Meta.*|OS.*|Alt.*|CapsLock|ContextMenu)$/.test(event.code) || event.metaKey;
        if (own || !notice.hidden && notice.contains(event.target)) {
            event.stopImmediatePropagation();
            return;
        }
        const code = /^[a-z]$/i.test(event.key) ? `Key${event.key.toUpperCase()}` : key_codes[event.key];
        if (code && code !== event.code) {
            Object.defineProperty(event, "code", { value: code });
        }
    }
    for (const kind of ["keydown", "keyup"]) {
        window.addEventListener(kind, letThrough, true);
    }
    // Wherever the keyboard is on this page, it is the lab's.
    for (const kind of ["keydown", "keyup", "keypress"]) {
        document.addEventListener(kind, (event) => {
            if (event.target !== canvas && !notice.contains(event.target) && started && !dead) {
                canvas[`on${kind}`]?.(event);
            }
        });
    }
    window.addEventListener("focus", () => canvas.focus({ preventScroll: true }));
    canvas.addEventListener("pointerdown", (event) => {
        canvas.focus({ preventScroll: true });
        // A drag goes on beyond the window's edge, and its end is told.
        if (event.pointerType === "mouse") {
            canvas.setPointerCapture(event.pointerId);
        }
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());

    /// Far from everything: there the pointer is when there is none.
    const AWAY = -32_000;
    /// After so many frames it is; with the very frame that learns of a click the click would be away, too.
    let frames_to_away = 0;
    const pointAway = () => (frames_to_away = 2);
    function framePassed() {
        if (frames_to_away > 0 && --frames_to_away === 0) {
            wasm_exports.mouse_move(AWAY, AWAY);
        }
    }
    canvas.addEventListener("mouseleave", pointAway);
    canvas.addEventListener("mousemove", () => (frames_to_away = 0));

    /// The program knows one pointer: the finger that came first.
    let finger = null;
    function firstFinger(event) {
        if (event.cancelable) {
            event.preventDefault();
        }
        const of = (touches) => Array.from(touches).find((touch) => touch.identifier === finger);
        if (event.type === "touchstart" && finger === null) {
            frames_to_away = 0;
            finger = event.changedTouches[0].identifier;
            canvas.focus({ preventScroll: true });
        }
        const touch = of(event.changedTouches);
        if (started && !dead && touch) {
            let { x, y } = mouse_relative_position(touch.clientX, touch.clientY);
            if (event.type === "touchstart") {
                wasm_exports.mouse_move(Math.floor(x), Math.floor(y));
            } else if (event.type === "touchcancel") {
                // The browser has taken the finger for something of its own: let go elsewhere, it clicks nothing.
                x = y = AWAY;
                wasm_exports.touch(SAPP_EVENTTYPE_TOUCHES_MOVED, touch.identifier, x, y);
            }
            const phases = {
                touchstart: SAPP_EVENTTYPE_TOUCHES_BEGAN,
                touchmove: SAPP_EVENTTYPE_TOUCHES_MOVED,
                touchend: SAPP_EVENTTYPE_TOUCHES_ENDED,
                touchcancel: SAPP_EVENTTYPE_TOUCHES_ENDED, // nobody else would let the button go
            };
            wasm_exports.touch(phases[event.type], touch.identifier, x, y);
        }
        if (finger !== null && !of(event.touches)) {
            finger = null;
            pointAway(); // a finger that is gone points at nothing
        }
        event.stopImmediatePropagation();
    }
    for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
        canvas.addEventListener(kind, firstFinger, { capture: true, passive: false });
    }

    // ---- The start. ------------------------------------------------------------------------------------------

    let started = false;
    /// What a call returns that was not made.
    const HELD = 0;

    /// The program's functions as gl.js is to call them: never before a frame is due, and no more once one has failed.
    function guarded(exports) {
        const all = { ...exports };
        for (const [name, call] of Object.entries(exports)) {
            if (typeof call === "function") {
                all[name] = (...given) => {
                    if (dead || (name === "frame" && performance.now() < held)) {
                        return HELD;
                    }
                    try {
                        return call(...given);
                    } catch (error) {
                        fail(`The lab has broken down, which it never should. Reload the page to go on.\n\n${error}`, error);
                        return 0;
                    }
                };
            }
        }
        const { frame } = all;
        all.frame = () => {
            if (frame() !== HELD) {
                framePassed();
            }
            if (!dead && !started) {
                started = true;
                curtain.hidden = true;
                canvas.focus({ preventScroll: true });
            }
        };
        return all;
    }

    /// The same response, which tells how much of it has come.
    function watched(response) {
        const headers = { "Content-Type": "application/wasm" };
        if (typeof TransformStream !== "function") {
            progress.removeAttribute("value"); // then it says only that something comes
            return new Response(response.body, { headers });
        }
        let loaded = 0;
        const count = new TransformStream({
            transform(chunk, controller) {
                loaded += chunk.byteLength;
                progress.value = Math.min(loaded / BYTES, 1);
                controller.enqueue(chunk);
            },
        });
        return new Response(response.body.pipeThrough(count), { headers });
    }

    async function load() {
        let response;
        try {
            response = await fetch(WASM);
        } catch (error) {
            const local = location.protocol === "file:";
            const hint = local ? "A browser loads no program from a file: serve the folder, as by web/serve.sh." : "Reload the page to try again.";
            return fail(`${WASM} could not be loaded, so the lab cannot start. ${hint}`, error);
        }
        if (!response.ok) {
            return fail(`${WASM} could not be loaded (the server says ${response.status}), so the lab cannot start. Reload the page to try again.`);
        }
        let instance;
        try {
            register_plugins(plugins);
            const module = await WebAssembly.compileStreaming(watched(response));
            add_missing_functions_stabs(module);
            instance = await WebAssembly.instantiate(module, importObject);
        } catch (error) {
            return fail(`${WASM} is no program that this browser can run, or has not come whole. Reload the page to try again; if that does not help, try a newer browser.\n\n${error}`, error);
        }
        wasm_memory = instance.exports.memory;
        wasm_exports = guarded(instance.exports);
        if (wasm_exports.crate_version() !== version || wasm_exports.timeslice_lab_crate_version() !== VERSION) {
            return fail("This page and its program are of two versions. Reload the page without its cache (Ctrl+Shift+R).");
        }
        init_plugins(plugins);
        why.textContent = "Starting";
        wasm_exports.main(0, 0);
    }

    if (typeof WebAssembly !== "object") {
        fail("The lab needs WebAssembly, which this browser does not have. Any browser of the last years has it.");
    } else if (webgl === 0) {
        fail("The lab is drawn with WebGL, which this browser does not offer: switch hardware acceleration on in its settings, or try another browser.");
    } else {
        load();
    }
})();
