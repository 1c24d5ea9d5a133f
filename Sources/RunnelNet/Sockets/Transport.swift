import CSockets
import RunnelLoop
import RunnelStreams

/// One end of a connection below the streams: a socket, a TLS session, or an end in a test network.
///
/// A transport reports each change of its readiness once to its ``receiver``, which it retains until
/// it is closed. The watch of its socket retains the transport.
package protocol Transport: WriteTarget {
  var receiver: (any TransportReceiver)? { get set }

  /// The addresses of this end and of the peer.
  var local: SocketAddress { get }
  var peer: SocketAddress { get }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult

  /// True if a read of fewer bytes than fit has almost always read all of them. Urgent data and a
  /// reset that arrived together with bytes are the exceptions, so the transport is read once more
  /// a little later.
  var readsCompletely: Bool { get }

  /// Returns the error that has ended the connection, if there is one. Does not read.
  func takeError() -> SocketError.Cause?

  /// `reset` tells the peer that bytes may be lost.
  func close(reset: Bool)

  /// The socket of the transport; nil if it has none.
  var socket: Int32? { get }

  /// The number of written bytes that the peer's system has not acknowledged.
  var unacknowledgedCount: Int { get }
}

extension Transport {
  package var unacknowledgedCount: Int {
    socket.map { Int(runnel_unacknowledged_count($0)) } ?? 0
  }

  package var isRead: Bool { receiver?.isRead ?? false }
}

/// The owner of a transport, which is notified of its readiness.
package protocol TransportReceiver: AnyObject {
  /// True while a consumer reads the connection.
  var isRead: Bool { get }

  /// Bytes, the end or an error can be read.
  func transportIsReadable()

  /// The peer has finished writing, or the connection was reset. Bytes may still be readable.
  func peerHasFinished()

  /// The program has finished writing, and everything is written.
  func writingHasFinished()

  func writingFailed(_ error: DescriptorError)

  /// The peer has vanished.
  func transportFailed(_ cause: SocketError.Cause)
}

package enum ReadResult {
  case count(Int)
  /// Nothing has arrived.
  case blocked
  /// The peer has finished.
  case end
  case failed(SocketError.Cause)
}

/// A listening socket.
package protocol ListeningTransport: AnyObject {
  var address: SocketAddress { get }

  /// Calls the closure while connections wait to be accepted.
  func startAccepting(_ action: @escaping () -> Void) throws(SocketError)
  func stopAccepting()

  /// Accepts one connection; returns nil if none waits.
  func accept() throws(SocketError) -> (any Transport)?

  /// Accepts and closes one connection, although no more descriptors can be opened.
  func refuse()

  func close()
}
