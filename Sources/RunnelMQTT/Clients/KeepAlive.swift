import RunnelStreams

/// Notices a broker that is silent, and tells it that the client is there.
///
/// It samples the numbers of bytes four times in each interval. After half of the interval without
/// bytes in one direction it asks the broker with a PINGREQ. Bytes of the broker are signs of life, also
/// if they are a part of a packet. While the question waits behind other bytes, written bytes are, too.
final class KeepAlive {
  private enum Question {
    case none
    /// It is answered by bytes after the given number of read ones, and it is the last of the given
    /// number of written ones.
    case asked(end: UInt64)
  }

  private let channel: PacketChannel
  private let timer: RestartableTimer
  private let period: Duration
  private let fail: () -> Void
  private var question = Question.none
  private var readCount: UInt64 = 0
  private var writtenCount: UInt64 = 0
  // The numbers of periods since bytes were read and written, and since a sign of life.
  private var quietReading = 0
  private var quietWriting = 0
  private var waited = 0

  private static let ping = Packet.pingreq.encoded(.v5) ?? []

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
    switch question {
    case .asked(let end):
      let isMoving = quietReading == 0 || (quietWriting == 0 && written < end)
      waited = isMoving ? 0 : waited + 1
      if quietReading == 0 && written >= end { question = .none }
      if waited >= 2 { return fail() }
    case .none:
      guard quietReading >= 2 || quietWriting >= 2 else { break }
      if channel.isWritable && channel.write(Self.ping) {
        question = .asked(end: written &+ UInt64(waiting) &+ UInt64(Self.ping.count))
        waited = 0
      } else if quietReading >= 4 && quietWriting >= 4 {
        return fail()
      }
    }
    wait()
  }
}
