// Tables that sort, and tables that also filter by words, kind and status. What a reader chose is kept in the address,
// as #?results.sort=cave-rate&results.q=words&results.hide=baseline, so that a view can be shared. Rows are moved and
// hidden, never changed: ranks and numbers are those of the whole table.
(() => {
  const collator = new Intl.Collator("en", { numeric: true });
  const make = (tag, fields = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), fields);
    element.append(...children);
    return element;
  };
  const text = (element) => element.textContent.replace(/\s+/g, " ").trim();

  // An empty cell is null: it stands last whichever way one sorts.
  const value = (row, column) => {
    const cell = row.cells[column];
    if (!cell || cell.querySelector(".none")) return null;
    const found = cell.dataset.sort ?? text(cell);
    const number = Number(found);
    return found !== "" && Number.isFinite(number) ? number : found;
  };

  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));

  // What a head is called: without its direction and its tags.
  const title = (head) => {
    const copy = head.cloneNode(true);
    for (const part of copy.querySelectorAll(".dir, .tag, .sr, button:empty")) part.remove();
    return text(copy);
  };

  class Sorter {
    constructor(table) {
      this.body = table.tBodies[0];
      this.rows = [...this.body.rows];
      this.heads = [...table.tHead.rows[0].cells];
      this.titles = this.heads.map(title);
      this.keys = this.titles.map((words) => words.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, ""));
      this.column = -1;
      this.up = true;
      this.changed = () => {};
      this.heads.forEach((head, column) => this.addButton(head, column));
      table.classList.add("is-ready");
    }

    addButton(head, column) {
      const button = make("button", { type: "button", className: "sort" });
      const link = head.querySelector("a");
      if (link) {
        // A link in the head stays a link; the button stands beside it.
        button.setAttribute("aria-label", `Sort by ${this.titles[column]}`);
        link.after(" ", button);
      } else {
        button.append(...head.childNodes);
        head.append(button);
      }
      button.addEventListener("click", () => {
        this.sort(column, this.column !== column || !this.up);
        this.changed();
      });
    }

    // -1: as the page has them. Rows that are equal keep the page's order.
    sort(column, up) {
      this.column = column;
      this.up = up;
      for (const head of this.heads) head.removeAttribute("aria-sort");
      const lines = this.rows.map((row) => [column < 0 ? null : value(row, column), row]);
      if (column >= 0) {
        this.heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
        lines.sort(([a], [b]) => (a === null ? (b === null ? 0 : 1) : b === null ? -1 : up ? compare(a, b) : compare(b, a)));
      }
      this.body.append(...lines.map(([, row]) => row));
    }

    get state() {
      return this.column < 0 ? "" : `${this.up ? "" : "-"}${this.keys[this.column]}`;
    }

    set state(words) {
      const column = this.keys.indexOf(words.replace(/^-/, ""));
      if (column !== this.column || words.startsWith("-") === this.up) this.sort(column, !words.startsWith("-"));
    }

    get says() {
      return this.column < 0 ? "" : `, sorted by ${this.titles[this.column]}, ${this.up ? "ascending" : "descending"}`;
    }
  }

  // A row that is shown as a card stays a row to a screen reader.
  const nameRoles = (table) => {
    const roles = { thead: "rowgroup", tbody: "rowgroup", tr: "row", "th[scope=col]": "columnheader", "th[scope=row]": "rowheader", td: "cell" };
    table.setAttribute("role", "table");
    for (const [selector, role] of Object.entries(roles)) {
      for (const element of table.querySelectorAll(selector)) element.setAttribute("role", role);
    }
  };

  class Filter {
    constructor(table, sorter) {
      this.sorter = sorter;
      this.key = table.dataset.filter;
      // Names and words, not numbers: "9" should not find every rate.
      this.lines = sorter.rows.map((row) => ({
        row,
        words: [...row.cells].filter((cell) => !cell.classList.contains("num")).map(text).join(" ").toLowerCase(),
        marks: [row.dataset.kind === "baseline" ? "baseline" : "", row.dataset.status ?? ""],
      }));
      const region = table.closest(".scroll") ?? table;
      this.input = make("input", { type: "search", id: `filter-${this.key}`, autocomplete: "off", spellcheck: false });
      this.boxes = this.marks().map(([mark, label]) => {
        const box = make("input", { type: "checkbox", value: mark, checked: true });
        box.addEventListener("change", () => this.apply());
        return [box, make("label", {}, box, ` ${label}`)];
      });
      this.reset = make("button", { type: "button", textContent: "Show all" });
      this.output = make("output", { className: "filter-count" });
      this.form = make(
        "form",
        { className: "filter" },
        make("label", { htmlFor: this.input.id, textContent: "Filter by name or word" }),
        this.input,
        ...this.boxes.map(([, label]) => label),
        this.reset,
        this.output,
      );
      this.form.setAttribute("role", "search");
      this.form.setAttribute("aria-label", region.getAttribute("aria-label") ?? this.key);
      this.output.setAttribute("aria-live", "polite");
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.input.addEventListener("input", () => this.apply());
      this.reset.addEventListener("click", () => {
        this.restore({});
        this.apply();
        this.input.focus();
      });
      sorter.changed = () => this.apply();
      region.before(this.form);
      this.nothing = make("p", { className: "filter-none", hidden: true, textContent: "No row is left. Clear the filter to see all." });
      region.after(this.nothing);
    }

    // The boxes: baselines where there are also models, and each status where there is more than one.
    marks() {
      const count = (mark) => this.lines.filter(({ marks }) => marks.includes(mark)).length;
      const statuses = [...new Set(this.lines.map(({ marks }) => marks[1]).filter(Boolean))].sort(collator.compare);
      const baselines = count("baseline");
      return [
        ...(baselines && baselines < this.lines.length ? [["baseline", `Baselines (${baselines})`]] : []),
        ...(statuses.length > 1 ? statuses.map((status) => [status, `${status} (${count(status)})`]) : []),
      ];
    }

    get hidden() {
      return this.boxes.filter(([box]) => !box.checked).map(([box]) => box.value);
    }

    restore({ q = "", hide = "", sort = "" }) {
      const hidden = hide.split(",");
      this.input.value = q;
      for (const [box] of this.boxes) box.checked = !hidden.includes(box.value);
      this.sorter.state = sort;
    }

    show() {
      const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const hidden = this.hidden;
      let shown = 0;
      for (const line of this.lines) {
        const fits = words.every((word) => line.words.includes(word)) && !line.marks.some((mark) => hidden.includes(mark));
        line.row.hidden = !fits;
        shown += fits;
      }
      this.reset.hidden = shown === this.lines.length && !this.state.size;
      this.nothing.hidden = shown > 0;
      this.output.textContent = `${shown} of ${this.lines.length} rows${this.sorter.says}`;
    }

    apply() {
      this.show();
      keep();
    }

    get state() {
      const parts = { sort: this.sorter.state, q: this.input.value.trim(), hide: this.hidden.join(",") };
      return new Map(Object.entries(parts).filter(([, words]) => words));
    }
  }

  const filters = [];

  // Keep every table's state in the fragment; a fragment that names a place of the page is left until a choice is made.
  const keep = () => {
    const query = new URLSearchParams();
    for (const filter of filters) for (const [part, words] of filter.state) query.set(`${filter.key}.${part}`, words);
    const base = location.href.split("#")[0];
    const wanted = `${query}` ? `#?${query}` : "";
    if (wanted || location.hash.startsWith("#?")) history.replaceState(history.state, "", base + wanted);
  };

  const restore = () => {
    const query = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");
    for (const filter of filters) {
      const part = (name) => query.get(`${filter.key}.${name}`) ?? "";
      filter.restore({ q: part("q"), hide: part("hide"), sort: part("sort") });
      filter.show();
    }
  };

  document.querySelectorAll("table.stack").forEach(nameRoles);
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const sorter = new Sorter(table);
    if (table.dataset.filter && sorter.rows.length > 1) filters.push(new Filter(table, sorter));
  }
  restore();
  addEventListener("hashchange", () => location.hash.startsWith("#?") && restore());
})();
