// Sortable tables: buttons in the column heads, aria-sort, and empty cells last whichever way one sorts.
const collator = new Intl.Collator("en", { numeric: true });

const value = (row, column) => {
  const cell = row.cells[column];
  if (!cell || cell.querySelector(".none")) return null;
  const text = cell.dataset.sort ?? cell.textContent.trim();
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text;
};

const compare = (a, b) =>
  typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));

const sort = (table, heads, column) => {
  const head = heads[column];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of heads) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [value(row, column), row]);
  rows.sort(([a], [b]) => (a === null ? (b === null ? 0 : 1) : b === null ? -1 : up ? compare(a, b) : compare(b, a)));
  body.append(...rows.map(([, row]) => row));
};

for (const table of document.querySelectorAll("table[data-sortable]")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    const link = head.querySelector("a");
    if (link) {
      // A link in the head stays a link; the button stands beside it.
      button.setAttribute("aria-label", `Sort by ${head.textContent.trim()}`);
      link.after(" ", button);
    } else {
      button.append(...head.childNodes);
      head.append(button);
    }
    button.addEventListener("click", () => sort(table, heads, column));
  });
}
