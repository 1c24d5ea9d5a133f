"use strict";
// One stream of events for all pages of a browser, which opens six connections to a host at most. This script runs as a
// shared worker, or in the page itself where there are none.
class Hub {
  constructor() {
    this.pages = new Set();
    this.summaries = new Map();  // name → { name, posts, last }
    // followed name → the number after which it begins, or Infinity for the newest 100 posts; its last number; its posts
    this.topics = new Map();
    this.source = null;
    this.timer = null;
    this.isLive = false;
  }

  // Adds a page. Returns its function to follow a topic after a number, "" for none, or to pause with null.
  add(send) {
    const page = { send, topic: "", last: 0 };
    return request => {
      this.pages.delete(page);
      if (request) {
        Object.assign(page, request);
        this.pages.add(page);
        send({ isLive: this.isLive, topics: [...this.summaries.values()] });
        if (page.topic) this.follow(page);
      }
      this.openSoon();
    };
  }

  // Sends a page what is here already. What is missing comes with the next stream.
  follow(page) {
    const topic = this.topics.get(page.topic);
    if (topic && page.last === 0) return this.send(topic.posts, page);
    const start = topic?.posts.length ? topic.posts[0].id - 1 : topic?.start;
    if (page.last >= start) return this.send(topic.posts, page);
    this.topics.set(page.topic, { start: page.last || Infinity, last: 0, posts: [], isNew: true });
  }

  send(posts, page) {
    const missing = posts.filter(post => post.id > page.last);
    if (!missing.length) return;
    page.last = missing.at(-1).id;
    page.send({ posts: missing });
  }

  // Several pages may have asked at once.
  openSoon(delay = 20) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), delay);
  }

  open() {
    const followed = new Set([...this.pages].map(page => page.topic));
    const isSame = [...this.topics].every(([name, topic]) => followed.has(name) && !topic.isNew);
    if (isSame && this.source && this.pages.size) return;
    this.close();
    for (const name of this.topics.keys()) if (!followed.has(name)) this.topics.delete(name);
    if (!this.pages.size) return this.setLive(false);
    const parts = [...this.topics].map(([name, topic]) => {
      topic.isNew = false;
      const after = topic.last || (topic.start === Infinity ? -100 : topic.start);
      return `follow=${encodeURIComponent(name)}:${after}`;
    });
    const source = this.source = new EventSource(parts.length ? `/topics?${parts.join("&")}` : "/topics");
    source.onopen = () => this.setLive(true);
    // The browser would connect again with the numbers of this address, which are old by then.
    source.onerror = () => {
      this.close();
      this.setLive(false);
      this.openSoon(1000 + 1000 * Math.random());
    };
    source.onmessage = ({ data, lastEventId }) => this.receive(Number(lastEventId), JSON.parse(data));
    source.addEventListener("topic", ({ data }) => {
      const summary = JSON.parse(data);
      this.summaries.set(summary.name, summary);
      for (const page of this.pages) page.send({ topics: [summary] });
    });
  }

  receive(id, { topic: name, text, time }) {
    const topic = this.topics.get(name);
    if (!topic || id <= topic.last) return;
    topic.last = id;
    topic.posts.push({ topic: name, id, text, time });
    if (topic.posts.length > 500) topic.posts.shift();
    for (const page of this.pages) if (page.topic === name) this.send(topic.posts.slice(-1), page);
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  setLive(isLive) {
    this.isLive = isLive;
    for (const page of this.pages) page.send({ isLive });
  }
}

if (self.SharedWorkerGlobalScope) {
  const hub = new Hub();
  self.onconnect = ({ ports: [port] }) => {
    const follow = hub.add(message => port.postMessage(message));
    port.onmessage = ({ data }) => follow(data);
  };
}
