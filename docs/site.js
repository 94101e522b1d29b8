// Names what the theme adds to pages, and lets keys reach what scrolls.
const complete = () => {
  document.querySelectorAll(".md-code__nav:not([aria-label])").forEach((bar) => {
    const bars = [...document.querySelectorAll(".md-code__nav")];
    bar.setAttribute("aria-label", `Code ${bars.indexOf(bar) + 1}: ${bar.parentElement.id || "block"}`);
  });
  document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])").forEach((box) => box.setAttribute("tabindex", "0"));
};
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
complete();
