// A button beside each text that is there to be copied. Without this the text can still be selected, at one click.
(() => {
  const said = document.createElement("p");
  said.className = "sr";
  said.setAttribute("role", "status");

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Pages that were opened from a folder have no clipboard of that kind.
      const field = document.createElement("textarea");
      field.value = text;
      field.className = "sr";
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  };

  for (const block of document.querySelectorAll("pre.copy")) {
    const name = block.getAttribute("aria-label") || "text";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy: ${name}`);
    button.addEventListener("click", async () => {
      const done = await copy(block.textContent);
      button.textContent = done ? "Copied" : "Press Ctrl+C";
      said.textContent = done ? `Copied: ${name}` : `Could not copy: ${name}`;
      if (!done) getSelection().selectAllChildren(block);
      button.focus();
      setTimeout(() => (button.textContent = "Copy"), 4000);
    });
    block.before(button);
  }
  if (document.querySelector(".copy-button")) document.body.append(said);
})();
