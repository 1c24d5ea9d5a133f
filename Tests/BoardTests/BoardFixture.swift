import Glibc
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import Board

/// A board on a loop, with a file in a folder of its own. Its methods block.
final class BoardFixture: Sendable {
  let loop: EventLoop
  let path: String
  private let board: Confined<Board?>
  private let results = EventLog<Result<Post, BoardError>>()

  /// Opens the file; its error is thrown.
  init(
    on loop: EventLoop, at path: String, named name: String = Cursor.alone,
    calls: DiskCalls = DiskCalls(), memory: Int = 32 << 20
  ) throws {
    self.loop = loop
    self.path = path
    let box = Confined<Board?>(nil)
    board = box
    try loop.wait {
      Result {
        box.value = try Board(
          PostFile(path, calls: calls), named: name, on: loop, memory: memory, now: { 1_000 })
      }
    }.get()
  }

  /// Releases the board, and waits until its threads have released the file.
  func close() {
    loop.wait { [board] in board.value = nil }
    while (try? PostFile(path)) == nil { sched_yield() }
  }

  /// Runs a closure with the board on its loop.
  func use<Output: Sendable>(_ body: @escaping @Sendable (Board) -> Output) -> Output {
    loop.wait { [board] in
      guard let board = board.value else { fatalError("The board is closed.") }
      return body(board)
    }
  }

  /// Publishes texts in one turn of the loop, and returns their results in the order of their ends.
  @discardableResult
  func publish(_ texts: [String], in topic: String = "kitchen") -> [Result<Post, BoardError>] {
    let count = results.count
    use { [results] board in
      for text in texts {
        board.publish(text, in: topic).observe(
          succeeded: { results.add(.success($0)) }, failed: { results.add(.failure($0)) })
      }
    }
    return Array(results.wait(for: count + texts.count)[count...])
  }

  /// Observes the posts of a topic, and returns the log of them.
  func follow(_ topic: String = "kitchen", after id: Int = 0) -> EventLog<Post> {
    let log = EventLog<Post>()
    use { board in
      _ = board.posts(in: topic, after: id).observe(
        next: { log.add($0) }, failed: { Issue.record("\($0)") })
    }
    return log
  }
}

/// Runs the body of a test with a loop, on a thread that may block.
func onLoop(_ body: @escaping @Sendable (EventLoop) throws -> Void) async throws {
  try await withLoop { loop in Result { try body(loop) } }.get()
}

/// Returns the posts of a file.
func posts(at path: String) throws -> [Post] {
  var posts: [Post] = []
  _ = try PostFile(path).recover { posts += $0.post.map { [$0] } ?? [] }
  return posts
}

/// Returns the bytes of a short file.
func bytes(at path: String) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  defer { close(file) }
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  let count = read(file, &buffer, buffer.count)
  return Array(buffer.prefix(max(0, count)))
}

/// Returns the places of posts in a file that a board uses.
func places(in path: String) -> [(post: Post, offset: Int)] {
  var places: [(post: Post, offset: Int)] = []
  var offset = 0
  let all = bytes(at: path)
  for line in all.split(separator: 0x0A, omittingEmptySubsequences: false) {
    if let post = Post(record: line) { places.append((post, offset)) }
    offset += line.count + 1
  }
  return places
}
