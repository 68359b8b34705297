// The page around the program: loads the program, reports errors, and does everything that needs JavaScript. Its
// counterpart is src/app/platform/js.rs, which declares each function that the program calls.
//
// gl.js is the loader from the crate `miniquad` in the version of Cargo.lock; build.sh copies it. It is a plain script,
// so its declarations are visible here: canvas, plugins, importObject, wasm_memory, wasm_exports and so on.
"use strict";

(() => {
    if (window.incomplete) {
        return;
    }
    /// The version of the interface to the program, which must be the same as in js.rs.
    const VERSION = 8;
    const { wasm: WASM, bytes: BYTES } = document.currentScript.dataset;

    const curtain = document.getElementById("curtain");
    const progress = document.getElementById("progress");
    const why = document.getElementById("why");
    const notice = document.getElementById("notice");
    const words = document.getElementById("words");

    // ---- Messages --------------------------------------------------------------------------------------------

    let dead = false;

    /// Stops the lab and shows the reason. Later failures are ignored, because the first one caused them.
    function fail(reason, detail) {
        if (dead) {
            return;
        }
        dead = true;
        progress.hidden = true;
        why.textContent = reason;
        curtain.classList.toggle("over", started);
        curtain.hidden = false;
        console.error(detail ?? reason);
    }

    function crash(message, detail) {
        fail(`The lab has crashed. Reload the page to restart it.\n\n${message}`, detail);
    }

    /// Shows a message until the user closes it, or for `millis` milliseconds.
    function showNotice(text, { warns = false, millis = 0 } = {}) {
        words.textContent = text;
        notice.classList.toggle("warns", warns);
        notice.hidden = false;
        clearTimeout(showNotice.timer);
        if (millis > 0) {
            showNotice.timer = setTimeout(hideNotice, millis);
        }
    }

    function hideNotice() {
        notice.hidden = true;
        canvas.focus({ preventScroll: true });
    }

    document.getElementById("close").addEventListener("click", hideNotice);
    // Otherwise gl.js would replace text copied from the message with the program's own clipboard.
    for (const kind of ["copy", "cut"]) {
        notice.addEventListener(kind, (event) => event.stopPropagation());
    }

    // ---- Functions that the program calls --------------------------------------------------------------------

    const bytesAt = (pointer, length) => new Uint8Array(wasm_memory.buffer, pointer >>> 0, length);
    const textAt = (pointer, length) => new TextDecoder().decode(bytesAt(pointer, length));
    const query = () => new TextEncoder().encode(location.search.replace(/^\?/, ""));
    /// The earliest time at which the next frame may start.
    let held = 0;

    function download(name, blob) {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = name;
        link.click();
        // Leave the user time to choose a folder.
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    }

    /// Copies `text` and shows the message `done`. If the browser does not allow copying, shows `todo` and the text
    /// itself.
    async function copy(text, done, todo) {
        try {
            await navigator.clipboard.writeText(text);
            showNotice(done, { millis: 4000 });
        } catch {
            showNotice(`The browser does not allow copying. ${todo} from here:\n${text}`);
        }
    }

    /// Copies code, or if the text starts with a question mark, a link to the settings in that query. A query is
    /// followed by a second line, which says what the link leaves out, if anything.
    async function copyFromProgram(text) {
        if (!text.startsWith("?")) {
            return copy(text, "Copied the code.", "Copy the code");
        }
        const [search, lacks] = text.slice(1).split("\n");
        const link = location.origin + location.pathname + (search && `?${search}`);
        const except = lacks ? `, except ${lacks}` : "";
        await copy(link, `Copied a link to these settings${except}.`, `Copy the link to these settings${except}`);
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
            env.lab_query = (pointer, length) => bytesAt(pointer, length).set(query().subarray(0, length));
            env.lab_log = (pointer, length) => console.log(textAt(pointer, length));
            env.lab_fail = (pointer, length) => {
                const message = textAt(pointer, length);
                crash(message, message);
            };
            env.lab_say = (pointer, length) => showNotice(textAt(pointer, length), { warns: true });
            env.lab_copy = (pointer, length) => void copyFromProgram(textAt(pointer, length));
            env.lab_save = (name, length, bytes, count) => {
                download(textAt(name, length), new Blob([bytesAt(bytes, count).slice()]));
            };
        },
    });

    // ---- Canvas ----------------------------------------------------------------------------------------------

    /// Creates the WebGL context and returns its version: 2, 1, or 0 without WebGL. gl.js gets the same context when it
    /// asks for one. The context is opaque, so that the page does not show through. It has neither multisampling nor a
    /// depth buffer, because no drawing needs them.
    function createContext() {
        const wanted = { alpha: false, antialias: false, depth: false, stencil: false, powerPreference: "high-performance" };
        if (canvas.getContext("webgl2", wanted)) {
            return 2;
        }
        const old = canvas.getContext("webgl", wanted);
        const enough = old?.getExtension("OES_vertex_array_object") && old.getExtension("WEBGL_depth_texture");
        return enough ? 1 : 0;
    }
    const webgl = createContext();

    canvas.addEventListener("webglcontextlost", () => {
        fail("The browser has stopped this page's graphics. Reload the page to restart the lab.");
    });

    // gl.js rounds the canvas's CSS size and multiplies it by the display's scale. If the product is not a whole
    // number, the browser stretches the image. This function therefore chooses a whole number of pixels first, and
    // gives the canvas the CSS size of exactly that many pixels.
    resize = (canvas, onResize) => {
        const scale = dpi_scale();
        const [width, height] = [window.innerWidth, window.innerHeight].map((side) => Math.max(Math.floor(side * scale), 1));
        canvas.style.width = `${width / scale}px`;
        canvas.style.height = `${height / scale}px`;
        if (canvas.width !== width || canvas.height !== height) {
            canvas.width = width;
            canvas.height = height;
            onResize?.(width, height);
        }
    };

    // Pointers above 2 GiB arrive as negative numbers, which gl.js does not convert.
    const original_array = getArray;
    getArray = (pointer, kind, length) => original_array(pointer >>> 0, kind, length);
    const original_text = UTF8ToString;
    UTF8ToString = (pointer, max) => original_text(pointer >>> 0, max);

    // ---- Input -----------------------------------------------------------------------------------------------

    const key_codes = { "-": "Minus", "=": "Equal", "[": "BracketLeft", "]": "BracketRight", ".": "Period", "/": "Slash", "?": "Slash" };
    // gl.js reports this key with a number that the program does not know.
    const original_keycode = into_sapp_keycode;
    into_sapp_keycode = (code) => (code === "Slash" ? 47 : original_keycode(code));

    /// Leaves the browser's keys to the browser. Maps all other keys by their label instead of their position, except
    /// for the digits, which French keyboards type only with Shift.
    function filterKey(event) {
        const browsers = /^(F\d+|Tab|Meta.*|OS.*|Alt.*|CapsLock|ContextMenu)$/.test(event.code) || event.metaKey;
        if (browsers || !notice.hidden && notice.contains(event.target)) {
            event.stopImmediatePropagation();
            return;
        }
        const code = /^[a-z]$/i.test(event.key) ? `Key${event.key.toUpperCase()}` : key_codes[event.key];
        if (code && code !== event.code && !/^Digit/.test(event.code)) {
            Object.defineProperty(event, "code", { value: code });
        }
    }
    for (const kind of ["keydown", "keyup"]) {
        window.addEventListener(kind, filterKey, true);
    }
    // The lab gets keys whichever element has the focus.
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
        // Keep reporting a drag, and its end, outside the window.
        if (event.pointerType === "mouse") {
            canvas.setPointerCapture(event.pointerId);
        }
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());

    /// The pointer coordinates while there is no pointer, far away from every control.
    const AWAY = -32_000;
    /// The number of frames until the pointer is moved away; 0 if it stays. Moving it at once would also move a pending
    /// click.
    let frames_to_away = 0;
    const pointAway = () => (frames_to_away = 2);
    function framePassed() {
        if (frames_to_away > 0 && --frames_to_away === 0) {
            wasm_exports.mouse_move(AWAY, AWAY);
        }
    }
    canvas.addEventListener("mouseleave", pointAway);
    canvas.addEventListener("mousemove", () => (frames_to_away = 0));

    /// The identifier of the touch that acts as the pointer, which is the first finger. The program knows only one
    /// pointer.
    let finger = null;
    function trackFirstFinger(event) {
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
                // The browser handles this touch itself. Move it away from every control, so that its end clicks
                // nothing.
                x = y = AWAY;
                wasm_exports.touch(SAPP_EVENTTYPE_TOUCHES_MOVED, touch.identifier, x, y);
            }
            const phases = {
                touchstart: SAPP_EVENTTYPE_TOUCHES_BEGAN,
                touchmove: SAPP_EVENTTYPE_TOUCHES_MOVED,
                touchend: SAPP_EVENTTYPE_TOUCHES_ENDED,
                touchcancel: SAPP_EVENTTYPE_TOUCHES_ENDED, // otherwise the button would stay pressed
            };
            wasm_exports.touch(phases[event.type], touch.identifier, x, y);
        }
        if (finger !== null && !of(event.touches)) {
            finger = null;
            pointAway();
        }
        event.stopImmediatePropagation();
    }
    for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
        canvas.addEventListener(kind, trackFirstFinger, { capture: true, passive: false });
    }

    // ---- Dropped files ---------------------------------------------------------------------------------------

    /// The number of bytes of a dropped file that the program gets. It is more than the program allows, so that the
    /// program can reject larger files.
    const MOST_DROPPED = 512 * 1024 * 1024 + 1;

    /// Copies bytes into the program's memory. The program frees them.
    function given(bytes) {
        const pointer = wasm_exports.allocate_vec_u8(bytes.length);
        bytesAt(pointer, bytes.length).set(bytes);
        return [pointer, bytes.length];
    }

    // This replaces gl.js's own handler, which cuts off names that are not ASCII and reads files of any size into
    // memory.
    window.addEventListener("drop", async (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        const files = Array.from(event.dataTransfer.files);
        const read = async (file) => new Uint8Array(await file.slice(0, MOST_DROPPED).arrayBuffer());
        try {
            const contents = await Promise.all(files.map(read));
            if (!started || dead) {
                return;
            }
            wasm_exports.on_files_dropped_start();
            files.forEach((file, index) => {
                const name = new TextEncoder().encode(file.name);
                wasm_exports.on_file_dropped(...given(name), ...given(contents[index]));
            });
            wasm_exports.on_files_dropped_finish();
        } catch (error) {
            showNotice(`The browser could not read the dropped file: ${error.message}`, { warns: true });
        }
    }, true);

    // ---- Start -----------------------------------------------------------------------------------------------

    let started = false;
    /// The result of a call that was skipped.
    const SKIPPED = 0;

    /// Wraps the program's functions for gl.js. Skips frames that are not due yet, and every call after a failure.
    function guarded(exports) {
        const all = { ...exports };
        for (const [name, call] of Object.entries(exports)) {
            if (typeof call === "function") {
                all[name] = (...args) => {
                    if (dead || (name === "frame" && performance.now() < held)) {
                        return SKIPPED;
                    }
                    try {
                        return call(...args);
                    } catch (error) {
                        crash(error, error);
                        return 0;
                    }
                };
            }
        }
        const { frame } = all;
        all.frame = () => {
            if (frame() !== SKIPPED) {
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

    /// Returns the same response, but shows the progress while it is read.
    function withProgress(response) {
        const headers = { "Content-Type": "application/wasm" };
        if (typeof TransformStream !== "function") {
            progress.removeAttribute("value"); // makes the bar indeterminate
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
            const hint = local ? "Browsers do not load programs from files: serve this folder, for example with web/serve.sh." : "Reload the page to try again.";
            return fail(`${WASM} could not be loaded. ${hint}`, error);
        }
        if (!response.ok) {
            return fail(`${WASM} could not be loaded (server status ${response.status}). Reload the page to try again.`);
        }
        let instance;
        try {
            register_plugins(plugins);
            const module = await WebAssembly.compileStreaming(withProgress(response));
            add_missing_functions_stabs(module);
            instance = await WebAssembly.instantiate(module, importObject);
        } catch (error) {
            return fail(`${WASM} is incomplete, or this browser cannot run it. Reload the page to try again. If that does not help, try a newer browser.\n\n${error}`, error);
        }
        wasm_memory = instance.exports.memory;
        wasm_exports = guarded(instance.exports);
        if (wasm_exports.crate_version() !== version || wasm_exports.timeslice_lab_crate_version() !== VERSION) {
            return fail("This page and its program have different versions. Reload the page without the cache (Ctrl+Shift+R).");
        }
        init_plugins(plugins);
        why.textContent = "Starting";
        wasm_exports.main(0, 0);
    }

    if (typeof WebAssembly !== "object") {
        fail("The lab needs WebAssembly, which this browser does not support. Try a newer browser.");
    } else if (webgl === 0) {
        fail("The lab needs WebGL, which this browser does not offer. Turn on hardware acceleration in its settings, or try another browser.");
    } else {
        load();
    }
})();
