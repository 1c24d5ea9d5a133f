"use strict";
// The largest number of posts that a page shows.
const longestLog = 300;

// One stream of events for all pages of a browser, which opens six connections to a host at most. This script runs as a
// shared worker, or in the page itself where there are none. A page that has crashed stays, until all pages are closed.
class Hub {
  constructor() {
    this.pages = new Set();
    this.summaries = new Map();  // name → { name, posts, last }
    // followed name → its newest posts, the place of the last one in the stream, and whether the stream does not have it yet
    this.topics = new Map();
    this.count = 0;  // numbers the posts
    this.source = null;
    this.timer = null;
    this.isLive = null;  // unknown before the first answer
  }

  // Adds a page. Returns its function to follow a topic, "" for none, or to pause with null. The page gets the newest posts, also
  // those that it has.
  add(send) {
    const page = { send, topic: "", last: 0 };
    return request => {
      this.pages.delete(page);
      if (request) {
        Object.assign(page, request, { last: 0 });
        this.pages.add(page);
        send({ isLive: this.isLive, topics: [...this.summaries.values()] });
        const { topic } = page;
        if (topic && !this.topics.has(topic)) this.topics.set(topic, { posts: [], last: "", isNew: true });
        if (topic) this.send(this.topics.get(topic).posts, page);
      }
      this.openSoon();
    };
  }

  // Sends a page the posts that it does not have.
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
    if (!this.pages.size) return this.isLive = null;
    const source = this.source = new EventSource(this.address());
    source.onopen = () => this.setLive(true);
    // The browser would connect again with the numbers of this address, which are old by then.
    source.onerror = () => {
      this.close();
      this.setLive(false);
      this.openSoon(1000 + 1000 * Math.random());
    };
    source.onmessage = ({ data, lastEventId }) => this.receive(lastEventId, JSON.parse(data));
    source.addEventListener("topic", ({ data }) => this.update(JSON.parse(data)));
  }

  // The address of the stream: as many of the topics that were followed last as the server takes.
  address() {
    let query = "";
    for (const [name, topic] of [...this.topics].slice(-100).reverse()) {
      const part = `&follow=${encodeURIComponent(name)}:${topic.last || -longestLog}`;
      if (query.length + part.length > 6000) break;
      query += part;
      topic.isNew = false;
    }
    return "/topics?" + query.slice(1);
  }

  update(summary) {
    const known = this.summaries.get(summary.name);
    if (known?.last === summary.last && known.posts === summary.posts) return;
    this.summaries.set(summary.name, summary);
    for (const page of this.pages) page.send({ topics: [summary] });
  }

  receive(place, { topic: name, key, text, time }) {
    const topic = this.topics.get(name);
    // A topic that was just added comes with the next stream.
    if (!topic || topic.isNew || place === topic.last) return;
    topic.last = place;
    this.count += 1;
    topic.posts.push({ topic: name, id: this.count, key: key ?? place, text, time });
    if (topic.posts.length > longestLog) topic.posts.shift();
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
