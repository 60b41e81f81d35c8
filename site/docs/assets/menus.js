// The menus of the masthead work without this; with it they also close on Escape and on a click elsewhere.
(() => {
  const open = () => document.querySelectorAll(".mast-nav details[open]");

  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
  addEventListener("click", (event) => {
    for (const menu of open()) if (!menu.contains(event.target)) menu.open = false;
  });
})();
