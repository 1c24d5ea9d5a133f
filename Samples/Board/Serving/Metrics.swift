import Runnel

extension Metrics {
  /// Adds the numbers about a board.
  func add(_ board: Board) {
    gauge("board_subscribers", "Subscriptions of topics.") { Double(board.subscriberCount) }
    gauge("board_posts", "Posts in the file.") { Double(board.postCount) }
    gauge("board_topics", "Topics with posts.") { Double(board.topicCount) }
    gauge("board_accepts_posts", "1 if posts are accepted, 0 after a fault of the file.") {
      board.failure == nil ? 1 : 0
    }
    gauge("board_damaged_lines", "Lines of the file lost to damage.") { Double(board.damagedCount) }
    gauge("board_missing_posts", "Numbers of posts that are missing at the end of the file.") {
      Double(board.missingCount)
    }
    gauge("board_moved_bytes", "Damaged bytes at the end of the file, moved to another one.") {
      Double(board.movedEnd?.count ?? 0)
    }
    gauge("board_file_bytes", "Size of the file.") { Double(board.size) }
  }

  /// Adds the numbers about the connection to other boards.
  @MainActor
  func add(_ others: OtherBoards) {
    gauge("board_peers", "Other boards that are online.") { Double(others.peerCount) }
    counter("board_copied_posts_total", "Posts accepted from other boards.") {
      Double(others.copyCount)
    }
    gauge("board_waiting_messages", "Posts and other messages for other boards that wait.") {
      Double(others.waitingCount)
    }
  }
}
