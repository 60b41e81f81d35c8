// Light or dark: the reader's choice, kept in this browser, else what the system asks for.
(() => {
  const root = document.documentElement;
  const key = "countersign.scheme";
  const stored = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const chosen = stored();
  if (chosen === "light" || chosen === "dark") root.dataset.scheme = chosen;
  addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-scheme-toggle]")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
        const next = (root.dataset.scheme ?? system) === "dark" ? "light" : "dark";
        root.dataset.scheme = next;
        try { localStorage.setItem(key, next); } catch { /* A private window may refuse; the choice then lasts for the page. */ }
      });
    }
  });
})();
