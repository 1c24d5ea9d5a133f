import RunnelStreams

/// Deadlines, and the end of the server.
extension ServerConnection {
  func beginWaiting(forHead: Bool) {
    waitingTicks = 0
    headHasBegun = forHead
  }

  /// Checks the deadlines, once a second.
  func sweep() {
    let limits = server.timeLimits
    let interval = HTTPServer.sweepInterval
    // A WebSocket has limits of its own.
    guard isActive else { return }
    if queue.waitingCount > 0 && queue.writtenCount == writtenBefore {
      stalledTicks += 1
      if interval * stalledTicks >= limits.writing { return reset() }
    } else {
      stalledTicks = 0
      writtenBefore = queue.writtenCount
    }
    switch phase {
    case .idle:
      // The response before may still be on its way.
      if queue.waitingCount == 0 { waitingTicks += 1 }
      let waited = interval * waitingTicks
      if headHasBegun || !hasServed {
        guard waited >= limits.head else { break }
        return headHasBegun
          ? refuse(.requestTimeout, "The request did not arrive in time.") : close()
      }
      if waited >= limits.idle { return close() }
    case .handling, .responding:
      if let body, !body.isComplete, inlet.waitsForBytes {
        if !body.isFastEnough(limits.bodyRate) {
          body.detach(.timedOut)
          return refuse(.requestTimeout, "The body did not arrive in time.")
        }
      }
      if let silent = silentTicks {
        silentTicks = silent + 1
        if interval * (silent + 1) >= server.heartbeat {
          silentTicks = 0
          let comment = Array(":\n\n".utf8)
          _ = writePiece(encoder?.encode(comment) ?? comment, isForced: true)
        }
      }
    case .upgraded, .closed: break
    }
    if let drainsAt, server.tick >= drainsAt, phase == .idle, !headHasBegun { close() }
  }

  /// The server ends.
  func drain() {
    drainsAt = server.tick + 2
    current.closes = true
    if phase == .responding && silentTicks != nil {
      // The stream of events would not end.
      silentTicks = nil
      exchange(&work, with: nil)?.dispose()
      if let encoder = encoder.take() { _ = writePiece(encoder.finish(), isForced: true) }
      if current.isChunked { _ = writeText("0\r\n\r\n") }
      finishResponse()
    }
    drainUpgrade?()
  }
}
