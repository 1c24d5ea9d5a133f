// The page of diagrams: readers move marbles and choose operators, and the server runs the operators in Swift.
const FRAME = 18, ROW = 38, LETTER = 8.2, LAST = 60;
const page = document.getElementById("playground");
const fields = { a: page.querySelector("[name=a]"), b: page.querySelector("[name=b]") };
const selects = [...page.querySelectorAll("select")];
const status = page.querySelector("[role=status]");
const sourceBox = page.querySelector(".sources"), resultBox = page.querySelector(".results");
const sources = { a: [], b: [] };
let results = [];

// MARK: - Marble strings

function parse(text) {
  const marks = [];
  let frame = 0, isGroup = false;
  const characters = [...text];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index];
    if (character === "(") { isGroup = true; continue; }
    if (character === ")") isGroup = false;
    else if (character === "<") {
      // A > within a name is written twice.
      let name = "";
      while (++index < characters.length && (characters[index] !== ">" || characters[index + 1] === ">")) {
        if (characters[index] === ">") index++;
        name += characters[index];
      }
      marks.push({ frame, text: name });
    } else if (/\s/.test(character)) continue;
    else if (character !== "-") marks.push({ frame, text: character === "#" ? "X" : character, isEnd: "|X#".includes(character) });
    if (!isGroup) frame++;
  }
  return marks;
}

const isEnd = mark => Boolean(mark.isEnd);

function textOf(mark) {
  if (mark.isEnd || (mark.text.length === 1 && !"-|X#^()<>".includes(mark.text))) return mark.text;
  return `<${mark.text.replaceAll(">", ">>")}>`;
}

function written(marks) {
  const ordered = [...marks].sort((one, other) => one.frame - other.frame || isEnd(one) - isEnd(other));
  let text = "";
  for (let frame = 0; ordered.length; frame++) {
    const here = [];
    while (ordered.length && ordered[0].frame === frame) {
      here.push(textOf(ordered.shift()));
    }
    text += here.length > 1 ? `(${here.join("")})` : here[0] ?? "-";
  }
  return text;
}

// MARK: - Pictures

function element(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return made;
}

function words(mark) {
  const what = !mark.isEnd ? mark.text : mark.text === "|" ? "completes" : "fails";
  return `${what} at ${mark.frame}`;
}

// Draws rows of { label, marks, source }. The marks of a source can be moved.
function draw(box, rows, left, right) {
  const svg = element("svg", { width: right + 8, height: rows.length * ROW, role: rows[0]?.source ? "group" : "img" });
  svg.setAttribute("aria-label", rows.map(row => `${row.label}: ${row.marks.map(words).join(", ") || "no events"}.`).join(" "));
  rows.forEach((row, index) => {
    const middle = index * ROW + ROW / 2;
    const end = row.marks.find(isEnd);
    svg.append(element("text", { class: "label", x: 0, y: middle + 4.5 }, row.label));
    const line = element("path", { d: `M${left} ${middle}H${right}` });
    svg.append(line);
    let free = 0;
    for (const mark of row.marks) {
      const width = isEnd(mark) ? 12 : Math.max(22, LETTER * mark.text.length + 10);
      let x = left + mark.frame * FRAME + 11 - width / 2;
      if (!row.source) x = Math.max(x, free);
      free = x + width + 1;
      const centre = x + width / 2;
      const group = element("g", row.source ? { tabindex: 0, role: "slider", class: "mark", "aria-label": `${row.label}: ${words(mark)}`, "aria-valuenow": mark.frame, "aria-valuemin": 0, "aria-valuemax": LAST } : {});
      if (mark === end) {
        line.setAttribute("d", `M${left} ${middle}H${centre}`);
        group.append(element("rect", { class: "touch", x: centre - 10, y: middle - 14, width: 20, height: 28 }));
        group.append(mark.text === "|"
          ? element("path", { d: `M${centre} ${middle - 11}v22` })
          : element("path", { class: "failure", d: `M${centre - 7} ${middle - 7}l14 14m0 -14l-14 14` }));
      } else {
        const letter = [...mark.text].find(character => /[\p{L}\p{N}]/u.test(character));
        const colour = (letter ? letter.codePointAt(0) : 0) % 6;
        group.append(element("rect", { class: `m${colour}`, x, y: middle - 11, width, height: 22, rx: 11 }));
        group.append(element("text", { x: centre, y: middle + 4.5, "text-anchor": "middle" }, mark.text));
      }
      if (row.source) makeMovable(group, row.source, mark, left);
      svg.append(group);
    }
  });
  box.replaceChildren(svg);
}

function makeMovable(group, source, mark, left) {
  group.mark = mark;
  group.addEventListener("pointerdown", event => {
    event.preventDefault();
    const follow = event => {
      const x = event.clientX - sourceBox.querySelector("svg").getBoundingClientRect().left;
      move(source, mark, Math.round((x - left - 11) / FRAME));
    };
    const leave = () => { removeEventListener("pointermove", follow); removeEventListener("pointerup", leave); removeEventListener("pointercancel", leave); };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", leave);
    addEventListener("pointercancel", leave);
  });
  group.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) { event.preventDefault(); move(source, mark, mark.frame + step); }
    if (event.key === "Delete") { sources[source] = sources[source].filter(other => other !== mark); change(); }
  });
}

// Nothing follows the end of a source.
function move(source, mark, frame) {
  const others = sources[source].filter(other => other !== mark);
  const end = others.find(isEnd);
  const first = isEnd(mark) ? Math.max(0, ...others.map(other => other.frame)) : 0;
  const last = end ? end.frame : LAST;
  frame = Math.min(Math.max(frame, first), last);
  if (frame === mark.frame) return;
  mark.frame = frame;
  sources[source].sort((one, other) => one.frame - other.frame || isEnd(one) - isEnd(other));
  change();
}

function show() {
  const chosen = selects.map(select => select.value).filter(Boolean);
  const labels = ["a", "b", ...chosen];
  const left = Math.max(...labels.map(label => label.length)) * LETTER + 20;
  const all = [...sources.a, ...sources.b, ...results.flatMap(row => row.marks)];
  const right = left + (Math.max(24, ...all.map(mark => mark.frame + Math.ceil(mark.text.length / 2))) + 2) * FRAME;
  const focused = document.activeElement?.mark;
  draw(sourceBox, [{ label: "a", marks: sources.a, source: "a" }, { label: "b", marks: sources.b, source: "b" }], left, right);
  draw(resultBox, results, left, right);
  if (focused) [...sourceBox.querySelectorAll(".mark")].find(group => group.mark === focused)?.focus();
}

// MARK: - Runs

const missing = status.textContent;
let socket, isWaiting = false, isChanged = false, addressTimer, wanted;

function change() {
  for (const name in fields) fields[name].value = written(sources[name]);
  run();
}

function run() {
  const chosen = selects.map(select => select.value).filter(Boolean);
  const address = new URLSearchParams({ a: fields.a.value, b: fields.b.value });
  for (const name of chosen) address.append("op", name);
  // Browsers limit how often it changes.
  clearTimeout(addressTimer);
  if (selects[0].options.length) addressTimer = setTimeout(() => history.replaceState(null, "", "#" + address), 250);
  show();
  if (socket?.readyState !== WebSocket.OPEN) return;
  if (isWaiting) { isChanged = true; return; }
  isWaiting = true;
  socket.send(JSON.stringify({ sources: [fields.a.value, fields.b.value], operators: chosen }));
}

function receive(text) {
  isWaiting = false;
  const answer = JSON.parse(text);
  status.textContent = answer.mistake ?? "";
  results = answer.rows.map(row => ({
    label: row.label,
    marks: row.events.map(event => {
      const [, frame, mark] = event.match(/^(\d+)(.*)$/s);
      return { frame: Number(frame), text: mark.replace(/^:/, ""), isEnd: !mark.startsWith(":") };
    }),
  }));
  show();
  if (isChanged) { isChanged = false; run(); }
}

function connect() {
  if (location.protocol !== "http:") return;
  socket = new WebSocket(`ws://${location.host}/run`);
  socket.onopen = async () => {
    status.textContent = "";
    isWaiting = false;
    await listOperators();
    run();
  };
  socket.onmessage = event => receive(event.data);
  socket.onclose = () => {
    status.textContent = missing;
    setTimeout(connect, 2000);
  };
}

// Lists the operators of the server, and chooses those of the address at first.
async function listOperators() {
  const operators = await (await fetch("operators")).json();
  selects.forEach((select, index) => {
    const chosen = wanted ? wanted[index] : select.value;
    select.replaceChildren(...["", ...operators].map(name => new Option(name || "–", name)));
    select.value = operators.includes(chosen) ? chosen : "";
  });
  wanted = undefined;
}

function begin() {
  const address = new URLSearchParams(location.hash.slice(1));
  fields.a.value = address.get("a") ?? "--1--2--2--3---4--|";
  fields.b.value = address.get("b") ?? "----x-----y----|";
  for (const name in fields) {
    sources[name] = parse(fields[name].value);
    fields[name].addEventListener("input", () => { sources[name] = parse(fields[name].value); run(); });
  }
  show();
  wanted = address.has("op") ? address.getAll("op") : ["map { $0 * 10 }"];
  for (const select of selects) select.addEventListener("change", run);
  connect();
}

begin();
