import Glibc
import Runnel

/// The topics and their posts. It belongs to the loop that creates it.
final class Board {
  /// Limits that can change while it runs.
  struct Limits: Equatable {
    /// The largest number of bytes of a text.
    var postSize = 1 << 14
    var topicCount = 10_000
  }

  /// The name of a topic, and how much it holds.
  struct Summary: JSONWritable, Equatable {
    let name: String
    let posts: Int
    /// The number of the newest post.
    let last: Int

    func write(to json: inout JSONWriter) {
      json.object { json in
        json.field("name", name)
        json.field("posts", posts)
        json.field("last", last)
      }
    }
  }

  var limits = Limits()
  private(set) var postCount = 0
  private(set) var subscriberCount = 0
  var topicCount: Int { topics.count }
  /// The number of bytes of the file.
  private(set) var size = 0
  /// The number of damaged lines that were found in the file, at the start and since.
  private(set) var damagedCount = 0
  /// The count of numbers whose posts are missing at the end of the file, at this start or an earlier one.
  private(set) var missingCount = 0
  /// True if one bit of the first line of the file was wrong at the start.
  private(set) var headerWasMended = false
  /// The damaged end of the file that was moved at the start.
  private(set) var movedEnd: PostFile.MovedEnd?
  /// Sends the numbers of posts that were found to be damaged since the start. Each number is sent once.
  let damage = PushStream<Set<Int>>()
  /// The reason why no post can be stored, until the next start or ``checkFile()``.
  private(set) var failure: PostFileError?
  /// Sends the errors of storing. The same one is not sent again until a post was stored or the file was
  /// put back.
  let faults = PushStream<PostFileError>()
  private var lastFault: PostFileError?
  /// True when no post waits to be stored.
  let isIdle = Property(true)

  /// The name of this board for those that it is joined to; empty for a board alone.
  let name: String
  /// Sends the new posts of this board, but not those of others, when they are stored.
  let ownPosts = PushStream<Post>()
  /// Sends an event when copies of posts could not be stored, and are missing again.
  let droppedCopies = PushStream<Void>()
  /// The places of the posts of this board, if it is joined to others.
  private var ownPlaces: [(id: Int, offset: Int)] = []
  /// The number of the last stored post of each other board.
  private var latest: [String: Int] = [:]
  /// The same with the posts that wait to be stored.
  private var accepted: [String: Int] = [:]

  private let loop: EventLoop
  private let file: PostFile
  private let now: () -> Int
  private let writer = WorkerPool(name: "board-write", size: 1)
  private let readers = WorkerPool(name: "board-read", size: 2)
  private var lastID = 0
  private var topics: [String: Topic] = [:]
  /// The subscribers of each topic, also of one that has no post yet.
  private var audiences: [String: Audience] = [:]
  /// The number of the newest post that the streams of changes know.
  private var announcedID = 0
  private let announced = PushStream<Void>()
  /// The changes after some numbers, until the next announcement.
  private var knownChanges: [Int: Changes] = [:]
  private var isPausing = false
  private var waiting: [Draft] = []
  private var waitingSize = 0
  /// The topics of posts that are not stored yet, except those with stored posts.
  private var newTopics: Set<String> = []
  private var recent: RecentPosts

  /// A post that waits to be stored.
  private struct Draft {
    let topic: String
    let text: String
    /// The time and the origin of a post of another board.
    var copy: (time: Int, origin: Origin)?
    let finish: (Result<Post, BoardError>) -> Void
  }

  private final class Audience {
    var count = 0
    let arrivals = PushStream<Void>()
  }

  /// Reads the posts of a file. `memory` is the number of bytes for the newest posts, and `progress` gets
  /// the number of bytes that are read.
  init(
    _ file: PostFile, named name: String = Cursor.alone, on loop: EventLoop, memory: Int = 32 << 20,
    now: @escaping () -> Int = { time(nil) }, progress: (Int) -> Void = { _ in }
  ) throws {
    recent = RecentPosts(limit: memory)
    self.name = name
    self.loop = loop
    self.file = file
    self.now = now
    let recovery = try file.recover(memory: memory, progress: progress) { add($0) }
    missingCount = recovery.missingCount
    headerWasMended = recovery.headerWasMended
    movedEnd = recovery.moved
    size = recovery.size
    damagedCount = recovery.damagedCount
    lastID = recovery.lastID
    announcedID = lastID
    accepted = latest
  }

  private func add(_ found: PostFile.Found) {
    let isJoined = name != Cursor.alone
    // The cursors of a board alone need no marks.
    let own = isJoined ? Origin(board: name, id: found.id) : nil
    topics[found.topic, default: Topic()].add(
      found.id, at: found.offset, of: found.origin ?? own)
    if let origin = found.origin {
      latest[origin.board] = origin.id
    } else if isJoined {
      ownPlaces.append((found.id, found.offset))
    }
    if !newTopics.isEmpty { newTopics.remove(found.topic) }
    if let post = found.post { recent.add(post) }
    lastID = found.id
    postCount += 1
  }

  // MARK: - Publishing

  /// The number of bytes that may wait for the disk.
  private static let longestQueue = 16 << 20
  /// The number of bytes that a post needs while it waits, besides its text.
  private static let draftSize = 256

  /// Adds a post. The operation succeeds when the disk has confirmed it. Disposal has no effect.
  func publish(_ text: String, in topic: String) -> Single<Post, BoardError> {
    Single { finish in
      if let reason = self.objection(to: text, in: topic) {
        finish(.failure(reason))
      } else {
        self.waiting.append(Draft(topic: topic, text: text, finish: finish))
        self.waitingSize += text.utf8.count + Self.draftSize
        if self.topics[topic] == nil { self.newTopics.insert(topic) }
        self.isIdle.value = false
        self.storeNext()
      }
      return .none
    }
  }

  private func objection(to text: String, in topic: String) -> BoardError? {
    if let failure { return .file(failure) }
    if !Post.isTopic(topic) { return .invalidTopic }
    if text.isEmpty { return .empty }
    let size = min(limits.postSize, Post.longestText)
    if text.utf8.count > size { return .tooLong(limit: size) }
    if Post.hasControlCharacters(text) { return .controlCharacters }
    if topics[topic] == nil && !newTopics.contains(topic)
      && topics.count + newTopics.count >= limits.topicCount
    {
      return .tooManyTopics(limit: limits.topicCount)
    }
    return waitingSize > Self.longestQueue ? .busy : nil
  }

  private var isStoring = false

  /// Stores all posts that wait, with one confirmation of the disk. Those that come meanwhile wait
  /// for the next batch.
  private func storeNext() {
    if isStoring || waiting.isEmpty { return }
    isStoring = true
    var batch: [(draft: Draft, post: Post, offset: Int)] = []
    var bytes: [UInt8] = []
    let time = now()
    for draft in waiting {
      if bytes.count > PostFile.longestBatch - Post.longestRecord { break }
      let post = Post(
        id: lastID + batch.count + 1, time: draft.copy?.time ?? time, topic: draft.topic,
        text: draft.text, origin: draft.copy?.origin)
      batch.append((draft, post, size + bytes.count))
      bytes += post.record
      waitingSize -= draft.text.utf8.count + Self.draftSize
    }
    waiting.removeFirst(batch.count)
    let last = lastID + batch.count
    EventStream.perform(on: writer) { [file, size, bytes] () throws(PostFileError) in
      try file.append(bytes, at: size)
      file.note(last: last)
    }.observe(
      next: { [self, bytes] in
        lastFault = nil
        size += bytes.count
        for (_, post, offset) in batch {
          add(
            PostFile.Found(
              id: post.id, topic: post.topic, offset: offset, post: post, origin: post.origin))
        }
        didStore(batch.map { ($0.draft, .success($0.post)) })
      },
      failed: { [self] error in
        switch error {
        case .unconfirmed, .gone, .changed: failure = error
        default: break
        }
        var failed = batch.map(\.draft)
        if failure != nil {
          failed += waiting
          waiting = []
        }
        // Copies that wait would leave a gap.
        waiting.removeAll { $0.copy != nil }
        newTopics = Set(waiting.map(\.topic).filter { topics[$0] == nil })
        waitingSize = waiting.reduce(0) { $0 + $1.text.utf8.count + Self.draftSize }
        let lacksCopies = accepted != latest
        accepted = latest
        didStore(failed.map { ($0, .failure(.file(error))) })
        report(error)
        if lacksCopies { droppedCopies.next(()) }
      })
  }

  private func report(_ error: PostFileError) {
    if error == lastFault { return }
    lastFault = error
    faults.next(error)
  }

  /// Checks whether the path still leads to the file. Returns true if the file was put back, so that posts are
  /// accepted again.
  func checkFile() -> Bool {
    if isStoring { return false }
    do throws(PostFileError) {
      try file.check(size: size)
      guard case .gone = failure else { return false }
      failure = nil
      lastFault = nil
      return true
    } catch {
      if failure == nil { failure = error }
      report(error)
      return false
    }
  }

  private func didStore(_ results: [(draft: Draft, result: Result<Post, BoardError>)]) {
    isStoring = false
    storeNext()
    // The closures come last, because they may do anything.
    for (draft, result) in results { draft.finish(result) }
    let topics = Set(results.map(\.draft.topic))
    for topic in topics { audiences[topic]?.arrivals.next(()) }
    for case .success(let post) in results.map(\.result) where post.origin == nil {
      ownPosts.next(post)
    }
    announce()
    if !isStoring { isIdle.value = true }
  }

  // MARK: - Reading

  /// The topics, by name.
  var summaries: [Summary] {
    topics.map { Summary(name: $0, posts: $1.count, last: $1.lastID) }.sorted { $0.name < $1.name }
  }

  /// Returns the number after which the newest posts of a topic begin.
  func id(beforeNewest count: Int, in topic: String) -> Int {
    topics[topic]?.id(beforeNewest: count) ?? 0
  }

  /// The posts of a topic after a number: those that are stored, and then new ones, without a gap.
  /// A subscriber that reads slowly gets them later, from the file.
  func posts(in name: String, after id: Int) -> EventStream<Post, BoardError> {
    .using {
      self.join(name)
    } dispose: { audience in
      self.leave(name, audience)
    } stream: { audience in
      var last = id
      return .pulled {
        self.part(of: name, after: last, audience).do(next: { last = $0.id })
      }
    }
  }

  /// Posts after a number that are sent at once; if there are none, the end of the wait for one.
  private func part(
    of name: String, after id: Int, _ audience: Audience
  ) -> EventStream<Post, BoardError> {
    guard let topic = topics[name], topic.lastID > id else {
      return audience.arrivals.failing(with: BoardError.self).take(1).compactMap { _ in nil }
    }
    let places = topic.places(after: id)
    let posts = recent.posts(places)
    if !posts.isEmpty { return .sequence(posts) }
    return EventStream<PostFile.Reading, PostFileError>.perform(on: readers) {
      [file] () throws(PostFileError) in
      try file.posts(at: places)
    }.mapFailure(to: BoardError.self) { .file($0) }.flatMap { reading in
      self.forget(reading.damaged, of: name)
      return .sequence(reading.posts)
    }
  }

  /// Removes posts whose lines are damaged, so that readers go on with those after them.
  private func forget(_ damaged: Set<Int>, of name: String) {
    guard !damaged.isEmpty, let removed = topics[name]?.remove(damaged), !removed.isEmpty else {
      return
    }
    damagedCount += removed.count
    postCount -= removed.count
    damage.next(removed)
  }

  // MARK: - Other boards

  /// The number of the last post of this board.
  var lastOwnID: Int { ownPlaces.last?.id ?? 0 }

  /// The number of the post of this board before another one of it.
  func ownID(before id: Int) -> Int {
    let index = ownPlaces.firstSortedIndex { $0.id >= id }
    return index == 0 ? 0 : ownPlaces[index - 1].id
  }

  /// The next posts of this board after a number: as many as are read at once.
  func ownPosts(after id: Int) -> EventStream<[Post], BoardError> {
    let places = Array(ownPlaces[ownPlaces.firstSortedIndex { $0.id > id }...].prefix(200))
    return EventStream<PostFile.Reading, PostFileError>.perform(on: readers) {
      [file] () throws(PostFileError) in try file.posts(at: places)
    }.mapFailure(to: BoardError.self) { .file($0) }.map { reading in
      if !reading.damaged.isEmpty {
        self.ownPlaces.removeAll { reading.damaged.contains($0.id) }
      }
      return reading.posts
    }
  }

  /// The number of the last post of another board that is stored here, or waits to be.
  func acceptedID(of board: String) -> Int { accepted[board] ?? 0 }

  /// True for what another board can have sent: the file can store its numbers, and they are in order.
  static func isCopy(_ post: Post, after previous: Int) -> Bool {
    guard let origin = post.origin else { return false }
    return 1...Post.largestID ~= origin.id && 0..<origin.id ~= previous
      && 0...Post.largestID / 10 ~= post.time
  }

  /// Adds a post of another board. Returns false if posts before it are missing, of which `previous` is the last.
  func accept(_ post: Post, after previous: Int) -> Bool {
    precondition(Self.isCopy(post, after: previous), "The numbers of a copy are not valid.")
    guard let origin = post.origin, origin.board != name, failure == nil else { return true }
    let known = acceptedID(of: origin.board)
    if origin.id <= known { return true }
    guard previous <= known else { return false }
    guard waitingSize <= Self.longestQueue else { return false }
    accepted[origin.board] = origin.id
    // A newer board may have other rules. Those after it are wanted nevertheless.
    guard Post.isTopic(post.topic), !post.text.isEmpty, post.text.utf8.count <= Post.longestText,
      !Post.hasControlCharacters(post.text)
    else { return true }
    waiting.append(
      Draft(
        topic: post.topic, text: post.text, copy: (post.time, origin), finish: { _ in }))
    waitingSize += post.text.utf8.count + Self.draftSize
    if topics[post.topic] == nil { newTopics.insert(post.topic) }
    isIdle.value = false
    storeNext()
    return true
  }

  // MARK: - Cursors

  /// The posts of a topic that a client lacks, and then new ones, each with the cursor of a client that has
  /// received it.
  func posts(
    in topic: String, after cursor: Cursor
  ) -> EventStream<(post: Post, cursor: Cursor), BoardError> {
    .deferred {
      var cursor = cursor
      let start =
        self.name == Cursor.alone
        ? cursor[self.name] : self.topics[topic]?.start(after: cursor) ?? 0
      return self.posts(in: topic, after: start).compactMap { post in
        let origin = post.origin ?? Origin(board: self.name, id: post.id)
        return cursor.add(origin) ? (post, cursor) : nil
      }
    }
  }

  /// Returns the cursor of a client that has all posts of a topic up to a number.
  func cursor(at id: Int, in topic: String) -> Cursor {
    if name == Cursor.alone { return Cursor(id > 0 ? [name: id] : [:]) }
    return topics[topic]?.cursor(at: id) ?? Cursor()
  }

  private func join(_ name: String) -> Audience {
    let audience = audiences[name] ?? Audience()
    audiences[name] = audience
    audience.count += 1
    subscriberCount += 1
    return audience
  }

  private func leave(_ name: String, _ audience: Audience) {
    audience.count -= 1
    subscriberCount -= 1
    if audience.count == 0 { audiences[name] = nil }
  }

  // MARK: - Changes

  /// Topics that have changed. All streams that have got as far share one object.
  final class Changes {
    let topics: ArraySlice<Summary>

    fileprivate init(_ topics: ArraySlice<Summary>) {
      self.topics = topics
    }
  }

  /// All topics, and then those that have changed, four times a second at most.
  func changes() -> EventStream<Changes, BoardError> {
    .deferred {
      var seen = 0
      return .pulled {
        guard seen < self.announcedID else {
          return self.announced.failing(with: BoardError.self).take(1).compactMap { _ in nil }
        }
        let changes = self.changes(after: seen)
        seen = changes.topics.last?.last ?? self.announcedID
        return .just(changes)
      }
    }
  }

  private func changes(after id: Int) -> Changes {
    if let known = knownChanges[id] { return known }
    let changed = topics.filter { $1.lastID > id }
      .map { Summary(name: $0, posts: $1.count, last: $1.lastID) }.sorted { $0.last < $1.last }
    let changes = Changes(changed.prefix(500))
    if knownChanges.count == 100 { knownChanges = [:] }
    knownChanges[id] = changes
    return changes
  }

  /// Announces new posts, and others after a pause.
  private func announce() {
    if isPausing || announcedID == lastID { return }
    isPausing = true
    announcedID = lastID
    knownChanges = [:]
    EventStream<Void, Never>.timer(after: .milliseconds(250), on: loop).observeNext {
      [weak self] _ in
      self?.isPausing = false
      self?.announce()
    }
    announced.next(())
  }
}

/// A reason why a post is refused, or why posts cannot be read.
enum BoardError: Error, Equatable {
  case invalidTopic
  case empty
  case tooLong(limit: Int)
  case controlCharacters
  case tooManyTopics(limit: Int)
  case busy
  case file(PostFileError)
}

extension BoardError: CustomStringConvertible {
  var description: String {
    switch self {
    case .invalidTopic: "A topic has 1 to 64 letters, digits, \"-\", \"_\" and \".\"."
    case .empty: "The post is empty."
    case .tooLong(let limit): "The post has more than \(limit) bytes."
    case .controlCharacters: "The post has control characters."
    case .tooManyTopics(let limit): "There are \(limit) topics already."
    case .busy: "Too many posts wait for the disk. Try again."
    case .file(let error): "\(error)"
    }
  }
}
