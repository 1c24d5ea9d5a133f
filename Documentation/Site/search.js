// Searches names of symbols, headings of guides, and names in other libraries. Without JavaScript the field is not shown.
"use strict";

const root = document.currentScript.dataset.root;
const search = document.getElementById("search");
const field = search.querySelector("input");
const list = search.querySelector("ul");
let entries;

/** How well an entry matches: lower is better, and undefined is not at all. */
function rank(name, words) {
  const lower = name.toLowerCase();
  if (!words.every(word => lower.includes(word))) return undefined;
  const base = lower.split("(")[0];
  return (base === words[0] ? 0 : base.startsWith(words[0]) ? 1 : lower.startsWith(words[0]) ? 2 : 3) + name.length / 1000;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  list.replaceChildren();
  if (!words.length || !entries) return;
  const found = entries
    .map(entry => [rank(entry[0], words), entry])
    .filter(([rank]) => rank !== undefined)
    // A name of Runnel comes before the same name in another library.
    .map(([rank, entry]) => [entry[1].startsWith("in Runnel: ") ? rank + 0.5 : rank, entry])
    .sort((a, b) => a[0] - b[0])
    .slice(0, 40);
  for (const [, [name, place, address]] of found) {
    const link = document.createElement("a");
    link.href = root + address;
    link.textContent = name + " ";
    const detail = document.createElement("span");
    detail.textContent = place;
    link.append(detail);
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  if (!found.length) {
    const item = document.createElement("li");
    item.textContent = "Nothing has this name.";
    list.append(item);
  }
}

async function load() {
  if (entries) return;
  entries = [];
  try {
    entries = await (await fetch(root + "search.json")).json();
  } catch {
    // It is tried again with the next focus. A page that was opened as a file cannot load others.
    entries = undefined;
    field.placeholder = "The search needs a server";
  }
  show();
}

/** Moves the focus through the field and its results. */
function move(step) {
  const stops = [field, ...list.querySelectorAll("a")];
  const next = stops[stops.indexOf(document.activeElement) + step];
  if (next) next.focus();
}

field.addEventListener("focus", load);
field.addEventListener("input", show);
search.addEventListener("keydown", event => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    move(event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
  } else if (event.key === "Enter" && event.target === field) {
    const first = list.querySelector("a");
    if (first) location.href = first.href;
  } else if (event.key === "Escape") {
    field.value = "";
    list.replaceChildren();
    field.focus();
  }
});
document.addEventListener("keydown", event => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    field.focus();
    event.preventDefault();
  }
});
search.hidden = false;
// On a narrow page the contents would stand before the text.
if (matchMedia("(max-width: 900px)").matches) document.querySelector(".navigation").open = false;
