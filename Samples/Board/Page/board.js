"use strict";
const element = id => document.getElementById(id);
const topics = new Map();  // name → { posts, seen, link }
let topic = "";
const keys = new Set();  // of the posts that were shown last
let isAtEnd = true;  // the log follows new posts unless the reader has scrolled back

// The topic is the part of the address after "#", so that the browser's history works.
function topicOfAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

function open(name) {
  topic = name;
  keys.clear();
  element("title").textContent = name || "Choose a topic";
  document.title = name ? `${name} – Board` : "Board";
  element("posts").replaceChildren();
  element("write").hidden = !name;
  report("");
  isAtEnd = true;
  for (const entry of topics.keys()) mark(entry);
  connect();
}

// All pages share the stream of a worker. Without workers, each has its own. The name of the worker changes with its messages,
// because it lives as long as any page, also one of an older version.
let follow = (() => {
  if (!window.SharedWorker) return new Hub().add(receive);
  const worker = new SharedWorker("/stream.js", "board-2");
  worker.port.onmessage = ({ data }) => receive(data);
  worker.onerror = () => {
    follow = new Hub().add(receive);
    connect();
  };
  return request => worker.port.postMessage(request);
})();

// A hidden page needs no stream.
function connect() {
  if (!document.hidden) element("posts").setAttribute("aria-busy", "true");  // what is stored already is not read aloud
  follow(document.hidden ? null : { topic });
}

function receive({ isLive, topics: summaries = [], posts = [] }) {
  if (isLive === true || isLive === false) setState(isLive);
  for (const summary of summaries) {
    topics.set(summary.name, { seen: 0, ...topics.get(summary.name), ...summary });
    mark(summary.name);
  }
  // A post may be of the topic before.
  for (const post of posts.filter(post => post.topic === topic && !keys.has(post.key))) {
    keys.add(post.key);
    if (keys.size > 3 * longestLog) keys.delete(keys.values().next().value);
    show(post);
  }
}

let reading = null;

function setState(isLive) {
  const state = element("state");
  const text = isLive ? "Live" : "Not connected. Trying again…";
  if (state.textContent !== text) state.textContent = text;
  state.classList.toggle("live", isLive);
  clearTimeout(reading);
  if (isLive) reading = setTimeout(() => element("posts").removeAttribute("aria-busy"), 500);
}

function show({ text, time }) {
  const posts = element("posts");
  const article = document.createElement("article");
  const body = document.createElement("p");
  body.textContent = text;
  const stamp = document.createElement("time");
  const date = new Date(time * 1000);
  stamp.dateTime = date.toISOString();
  stamp.textContent = date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  article.append(body, stamp);
  posts.append(article);
  while (posts.childElementCount > longestLog) posts.firstElementChild.remove();
  scrollToEnd();
}

function scrollToEnd() {
  if (isAtEnd) element("posts").scrollTop = element("posts").scrollHeight;
}

// Shows a topic in the list, in the order of the names.
function mark(name) {
  const entry = topics.get(name);
  if (!entry.link) {
    const item = document.createElement("li");
    entry.link = document.createElement("a");
    entry.link.href = "#" + encodeURIComponent(name);
    const label = document.createElement("span");
    label.textContent = name;
    const count = document.createElement("span");
    count.className = "count";
    entry.link.append(label, count);
    item.append(entry.link);
    const list = element("topics");
    const next = [...list.children].find(other => other.textContent.localeCompare(name) > 0);
    list.insertBefore(item, next ?? null);
    entry.seen = entry.posts;
  }
  if (name === topic) {
    entry.seen = entry.posts;
    if (!entry.link.ariaCurrent) entry.link.scrollIntoView({ block: "nearest", inline: "nearest" });
    entry.link.setAttribute("aria-current", "page");
  } else {
    entry.link.removeAttribute("aria-current");
  }
  entry.link.classList.toggle("new", entry.posts > entry.seen);
  const count = entry.link.lastElementChild;
  count.textContent = entry.posts;
  count.setAttribute("aria-label", `${entry.posts} posts${entry.posts > entry.seen ? ", new ones" : ""}`);
}

function report(problem) {
  element("problem").textContent = problem;
}

async function publish(event) {
  event.preventDefault();
  const field = element("text");
  const button = event.target.querySelector("button");
  const draft = field.value;
  const text = draft.trimEnd();
  if (!text || button.disabled) return;
  button.disabled = true;  // one post at a time
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  const token = sessionStorage.getItem("token") || element("token").value;
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const url = `/topics/${encodeURIComponent(topic)}`;
    const response = await fetch(url, { method: "POST", headers, body: text });
    if (response.status === 401) {
      sessionStorage.removeItem("token");
      element("access").hidden = false;
      element("token").focus();
      return report(token ? "The token is not valid." : "Publishing needs a token.");
    }
    if (!response.ok) return report(await response.text());
    if (token) sessionStorage.setItem("token", token);
    element("access").hidden = true;
    // What was typed meanwhile stays.
    field.value = field.value.startsWith(draft) ? field.value.slice(draft.length) : field.value;
    report("");
    field.focus();
  } catch {
    report("The board cannot be reached. The post is still here: try again.");
  } finally {
    button.disabled = false;
  }
}

element("write").addEventListener("submit", publish);
element("text").addEventListener("keydown", event => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  element("write").requestSubmit();
});
element("open").addEventListener("submit", event => {
  event.preventDefault();
  const name = element("name").value.trim();
  element("name").value = "";
  location.hash = encodeURIComponent(name);
  element("text").focus();
});
element("posts").addEventListener("scroll", ({ target }) => {
  isAtEnd = target.scrollHeight - target.scrollTop - target.clientHeight < 60;
});
new ResizeObserver(scrollToEnd).observe(element("posts"));
document.addEventListener("visibilitychange", connect);
window.addEventListener("hashchange", () => open(topicOfAddress()));
open(topicOfAddress());
