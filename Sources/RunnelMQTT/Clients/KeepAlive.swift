import RunnelStreams

/// Notices a broker that is silent, and tells it that the client is there.
///
/// It looks at the numbers of bytes four times in each interval. After half of the interval without
/// bytes in one direction it sends a PINGREQ. Each byte of the broker is a sign of life, also a part of a
/// packet. As long as the PINGREQ waits behind other bytes, progress of these bytes is one, too. After three
/// quarters of the interval without a sign of life the broker is given up.
final class KeepAlive {
  private enum Ping {
    case none
    /// It has left when the given number of bytes is written. The next bytes of the broker answer it.
    case sent(end: UInt64)
  }

  private let channel: PacketChannel
  private let timer: RestartableTimer
  private let period: Duration
  private let fail: () -> Void
  private var ping = Ping.none
  private var readCount: UInt64 = 0
  private var writtenCount: UInt64 = 0
  // The numbers of quarters of the interval since bytes were read and written, and since a sign of life.
  private var quietReading = 0
  private var quietWriting = 0
  private var lifeless = 0

  private static let packet = Packet.pingreq.encoded(.v5) ?? []

  init(
    _ channel: PacketChannel, every interval: Duration, on scheduler: any Scheduler,
    _ fail: @escaping () -> Void
  ) {
    self.channel = channel
    self.fail = fail
    timer = RestartableTimer(on: scheduler)
    period = interval / 4
    wait()
  }

  func stop() { timer.tearDown() }

  private func wait() {
    timer.set(after: period) { [weak self] in self?.check() }
  }

  private func check() {
    let (read, written, waiting) = channel.traffic
    quietReading = exchange(&readCount, with: read) == read ? quietReading + 1 : 0
    quietWriting = exchange(&writtenCount, with: written) == written ? quietWriting + 1 : 0
    switch ping {
    case .sent(let end):
      let isMoving = quietReading == 0 || (quietWriting == 0 && written < end)
      lifeless = isMoving ? 0 : lifeless + 1
      if quietReading == 0 && written >= end { ping = .none }
      if lifeless >= 3 { return fail() }
    case .none:
      guard quietReading >= 2 || quietWriting >= 2 else { break }
      if channel.isWritable && channel.write(Self.packet) {
        ping = .sent(end: written &+ UInt64(waiting) &+ UInt64(Self.packet.count))
        lifeless = 0
      } else if quietReading >= 4 && quietWriting >= 4 {
        return fail()
      }
    }
    wait()
  }
}
