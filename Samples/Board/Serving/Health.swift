import Runnel

/// The state that a load balancer or an operator asks for.
final class Health {
  /// True from the signal to end.
  var isDraining = false

  /// 200 if posts are accepted, otherwise 503 with the reason.
  func response(_ board: Board) -> HTTPResponse {
    if let failure = board.failure {
      return HTTPResponse(.serviceUnavailable, text: "\(failure)\n")
    }
    if isDraining { return HTTPResponse(.serviceUnavailable, text: "draining\n") }
    var text = "ok\n"
    if board.damagedCount > 0 { text += "\(board.damagedCount) posts were lost to damage\n" }
    if board.missingCount > 0 {
      text += "up to \(board.missingCount) posts are missing at the end of the file\n"
    }
    if let moved = board.movedEnd {
      text += "\(moved.count) damaged bytes at the end of the file are in \(moved.path)\n"
    }
    return HTTPResponse(text: text)
  }
}
