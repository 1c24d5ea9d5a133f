import Glibc
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelNet

/// Every event of a connection in every state.
@Suite struct ConnectionStateTests {
  private enum State: CaseIterable {
    case open, finishing, ended, written, unwritable, abandoned, lingering, closed
  }

  private enum Event: CaseIterable {
    case peerSends, peerFinishes, peerResets, write, finish, close, reset, abandon, read, time
  }

  @Test func connectionChangesAsDrawn() throws {
    let table = try stateTable { (state: State, event: Event?) in
      let pair = try Pair()
      let (near, far) = (pair.near, pair.far)
      far.staysOpenAfterEnd = true
      func pass() { pair.scheduler.advance(by: .milliseconds(1)) }
      func read() { far.bytes.observe(next: { _ in }, failed: { _ in }) }
      switch state {
      case .open: break
      case .finishing: near.finish()
      case .ended:
        read()
        near.finish()
      case .written: far.finish()
      case .unwritable:
        read()
        far.core.queue.fail(.system(EPIPE))
      case .abandoned:
        // More than the peer has room for.
        _ = far.write([UInt8](repeating: 0, count: 100_000))
        far.core.abandon()
      case .lingering:
        _ = far.write("bytes")
        far.close()
      case .closed: far.reset()
      }
      if state != .unwritable { pass() }
      switch event {
      case .peerSends: _ = near.write("bytes")
      case .peerFinishes: near.finish()
      case .peerResets: near.reset()
      case .write: _ = far.write("bytes")
      case .finish: far.finish()
      case .close: far.close()
      case .reset: far.reset()
      case .abandon: far.core.abandon()
      case .read: if state != .ended && state != .unwritable { read() }
      case .time: pair.scheduler.advance(by: .seconds(31))
      case nil: return Self.text(far.core)
      }
      pass()
      return Self.text(far.core)
    }
    #expect(
      table == """
        open: open
          peerFinishes: open, finishing
          peerResets: failed
          finish: open, written
          close: closed
          reset: closed
          abandon: open, abandoned
        finishing: open, finishing
          peerResets: failed
          finish: open, finishing, written
          close: closed
          reset: closed
          abandon: closed
          read: open, ended, delivered
        ended: open, ended, delivered
          finish: closed
          close: closed
          reset: closed
          abandon: closed
        written: open, written
          peerFinishes: open, finishing, written
          peerResets: failed
          close: closed
          reset: closed
          abandon: closed
        unwritable: open, finishing, unwritable
          peerFinishes: failed
          peerResets: failed
          close: closed
          reset: closed
          abandon: closed
        abandoned: open, abandoned
          peerFinishes: open, finishing, abandoned
          peerResets: failed
          close: open, cut, abandoned
          reset: closed
          time: failed
        lingering: lingering
          peerFinishes: closed
          peerResets: closed
          reset: closed
          time: closed
        closed: closed
        """)
  }

  private static func text(_ core: ConnectionCore) -> String {
    switch core.phase {
    case .closed(.completed): return "closed"
    case .closed(.failed): return "failed"
    case .lingering: return "lingering"
    case .open: break
    }
    var words = ["open"]
    switch core.inlet.phase {
    case .open: break
    case .finishing: words.append("finishing")
    case .ended: words.append("ended")
    case .cut: words.append("cut")
    }
    switch core.reading {
    case .open: break
    case .delivered: words.append("delivered")
    case .abandoned: words.append("abandoned")
    }
    switch core.writing {
    case .open: break
    case .ended: words.append("written")
    case .failed: words.append("unwritable")
    }
    return words.joined(separator: ", ")
  }
}
