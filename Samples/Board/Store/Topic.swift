/// The places of a topic's posts in the file: 16 bytes for each, and 16 more on a board that is joined to others.
struct Topic {
  private var places: [(id: Int, offset: Int)] = []
  /// The posts of each board: their numbers there and here.
  private var marks: [String: [(number: Int, id: Int)]] = [:]

  /// The number of posts.
  var count: Int { places.count }
  /// The number of the newest post.
  var lastID: Int { places.last?.id ?? 0 }

  mutating func add(_ id: Int, at offset: Int, of origin: Origin?) {
    places.append((id, offset))
    if let origin { marks[origin.board, default: []].append((origin.id, id)) }
  }

  /// Removes posts. Returns the numbers of those that were there.
  mutating func remove(_ ids: Set<Int>) -> Set<Int> {
    guard let first = ids.min(), let last = ids.max() else { return [] }
    let start = places.firstSortedIndex { $0.id >= first }
    let end = places.firstSortedIndex { $0.id > last }
    let part = places[start..<end]
    let removed = Set(part.map(\.id)).intersection(ids)
    if !removed.isEmpty {
      places.replaceSubrange(start..<end, with: part.filter { !removed.contains($0.id) })
    }
    return removed
  }

  /// Returns the number after which the newest posts begin.
  func id(beforeNewest count: Int) -> Int {
    count < places.count ? places[places.count - 1 - count].id : 0
  }

  /// Returns the number before the first post that a client lacks.
  func start(after cursor: Cursor) -> Int {
    let missing = marks.compactMap { board, marks in
      let index = marks.firstSortedIndex { $0.number > cursor[board] }
      return index < marks.count ? marks[index].id - 1 : nil
    }
    return missing.min() ?? lastID
  }

  /// Returns the cursor of a client that has all posts up to a number.
  func cursor(at id: Int) -> Cursor {
    Cursor(
      marks.compactMapValues { marks in
        let index = marks.firstSortedIndex { $0.id > id }
        return index == 0 ? nil : marks[index - 1].number
      })
  }

  /// Returns the places of the next posts after a number.
  func places(after id: Int) -> [(id: Int, offset: Int)] {
    Array(places[places.firstSortedIndex { $0.id > id }...].prefix(200))
  }
}

/// The newest posts of all topics, which need not be read from the file.
struct RecentPosts {
  /// The largest number of bytes.
  let limit: Int
  private var posts: [Post] = []
  private(set) var size = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a post. If there is no room, the older half is removed.
  mutating func add(_ post: Post) {
    posts.append(post)
    size += Self.size(of: post)
    if size <= limit { return }
    var count = 0
    while size > limit / 2 && count < posts.count {
      size -= Self.size(of: posts[count])
      count += 1
    }
    posts.removeFirst(count)
  }

  /// Returns the posts at some places, up to 64 KiB of text; none if the first is only in the file.
  func posts(_ places: [(id: Int, offset: Int)]) -> [Post] {
    guard let first = places.first, let oldest = posts.first, first.id >= oldest.id else {
      return []
    }
    var found: [Post] = []
    var size = 0
    for place in places {
      let post = posts[posts.firstSortedIndex { $0.id >= place.id }]
      size += post.text.utf8.count
      if size > Post.longestText && !found.isEmpty { break }
      found.append(post)
    }
    return found
  }

  /// The bytes of a post with its strings.
  private static func size(of post: Post) -> Int {
    128 + post.topic.utf8.count + post.text.utf8.count
  }
}
