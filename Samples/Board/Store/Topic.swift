/// The places of a topic's posts in the file, and its newest posts.
///
/// A post needs 16 bytes here, and its text only while it is one of the newest.
struct Topic {
  private var places: [(id: Int, offset: Int)] = []
  /// The last posts. All of them are kept until they are twice as many as needed.
  private var recent: [Post] = []

  private static let recentCount = 100

  /// The number of posts.
  var count: Int { places.count }
  /// The number of the newest post.
  var lastID: Int { places.last?.id ?? 0 }

  mutating func add(_ post: Post, at offset: Int) {
    places.append((post.id, offset))
    recent.append(post)
    if recent.count == 2 * Self.recentCount { recent.removeFirst(Self.recentCount) }
  }

  /// Returns the number after which the newest posts begin.
  func id(beforeNewest count: Int) -> Int {
    count < places.count ? places[places.count - 1 - count].id : 0
  }

  /// Returns the next posts after a number, up to 64 KiB of text; nil if they are only in the file.
  func recentPosts(after id: Int) -> ArraySlice<Post>? {
    let first = index(after: id)
    let start = first - (places.count - recent.count)
    guard start >= 0, start < recent.count else { return nil }
    var end = start + 1
    var size = recent[start].text.utf8.count
    while end < recent.count {
      size += recent[end].text.utf8.count
      if size > Post.longestText { break }
      end += 1
    }
    return recent[start..<end]
  }

  /// Returns the places of the next posts after a number.
  func places(after id: Int) -> [(id: Int, offset: Int)] {
    Array(places[index(after: id)...].prefix(200))
  }

  /// Finds the first place after a number, by halving.
  private func index(after id: Int) -> Int {
    var range = 0..<places.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = places[middle].id > id ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound
  }
}
