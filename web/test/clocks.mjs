// Scripts that change or watch a page's clock before the lab starts.

/// Rounds the page's clock to `millis` milliseconds, as privacy-minded browsers do.
export const rounded = (millis) => `{
    const original = performance.now.bind(performance);
    window.exact = original;
    performance.now = () => Math.floor(original() / ${millis}) * ${millis};
}`;

/// Records the duration of each animation frame callback in `took`, measured with the exact clock.
export const WATCHED = `{
    const exact = window.exact ?? performance.now.bind(performance);
    const original = window.requestAnimationFrame.bind(window);
    window.took = [];
    window.requestAnimationFrame = (call) => original((time) => {
        const start = exact();
        call(time);
        window.took.push(exact() - start);
    });
}`;
