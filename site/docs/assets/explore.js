// On demand a chart gives way to one that answers to the pointer. Before the click nothing of it is loaded, and then
// only from here: the library beside this file, the chart's spec beside its page. The picture stays for paper.
(() => {
  // A page that was opened from a disk may fetch nothing.
  if (location.protocol === "file:") return;
  const library = new URL(document.currentScript.dataset.library, location.href);
  const make = (tag, fields) => Object.assign(document.createElement(tag), fields);

  let loading;
  const load = () =>
    (loading ??= new Promise((done, failed) => {
      const script = make("script", { src: library, onload: done });
      script.onerror = () => {
        loading = undefined;
        script.remove();
        failed(new Error("the library could not be loaded"));
      };
      document.head.append(script);
    }));

  const fetched = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${answer.status} for the data of the chart`);
    return answer.json();
  };

  // What a mark says is text, line by line; names are data of others.
  let tip;
  const say = (_, event, __, row) => {
    tip?.remove();
    tip = undefined;
    if (typeof row?.tip !== "string") return;
    tip = make("div", { className: "tip" });
    for (const line of row.tip.split("\n")) tip.append(make("div", { textContent: line }));
    document.body.append(tip);
    const { width, height } = tip.getBoundingClientRect();
    const x = event.clientX + 14 + width > innerWidth ? event.clientX - 14 - width : event.clientX + 14;
    const y = event.clientY + 14 + height > innerHeight ? event.clientY - 14 - height : event.clientY + 14;
    tip.style.left = `${Math.max(4, x)}px`;
    tip.style.top = `${Math.max(4, y)}px`;
  };

  const explore = async (figure, picture) => {
    const [spec] = await Promise.all([fetched(new URL(`${figure.id}.json`, document.baseURI)), load()]);
    const place = make("div", { className: "explored" });
    place.setAttribute("role", "img");
    place.setAttribute("aria-labelledby", picture.getAttribute("aria-labelledby"));
    picture.after(place);
    // The policy of these pages allows no eval, so expressions are interpreted, and no style that is not a file's.
    const options = { mode: "vega-lite", ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: say };
    try {
      await vegaEmbed(place, spec, options);
    } catch (error) {
      place.remove();
      throw error;
    }
  };

  for (const figure of document.querySelectorAll(".figure[id]")) {
    const picture = figure.querySelector("svg.chart");
    if (!picture) continue;
    const title = figure.querySelector("h3").textContent;
    const button = make("button", { type: "button", className: "explore", textContent: "Explore" });
    const says = make("span", { className: "explore-says" });
    says.setAttribute("role", "status");
    const name = (word) => {
      button.textContent = word;
      button.setAttribute("aria-label", `${word}: ${title}`);
    };
    name("Explore");
    let ready = false;
    button.addEventListener("click", async () => {
      if ("explored" in figure.dataset) {
        delete figure.dataset.explored;
        says.textContent = "";
        return name("Explore");
      }
      try {
        button.disabled = true;
        says.textContent = "Loading";
        if (!ready) await explore(figure, picture);
        ready = true;
        figure.dataset.explored = "";
        says.textContent = "Point at a mark to read what it stands for.";
        name("Picture");
      } catch (error) {
        says.textContent = `It could not be shown: ${error.message}.`;
      } finally {
        button.disabled = false;
        button.focus();
      }
    });
    figure.querySelector("figcaption").append(button, says);
  }
})();
