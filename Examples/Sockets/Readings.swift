import Runnel

struct Reading: Equatable {
  var sensor: UInt8
  var millidegrees: Int32

  var message: [UInt8] { [sensor] + withUnsafeBytes(of: millidegrees.bigEndian, Array.init) }

  init(sensor: UInt8, millidegrees: Int32) {
    self.sensor = sensor
    self.millidegrees = millidegrees
  }

  init(_ message: [UInt8]) throws(ReadingError) {
    guard message.count == 5 else { throw .malformed(message) }
    sensor = message[0]
    millidegrees = message[1...].reduce(0) { $0 << 8 | Int32($1) }
  }
}

enum ReadingError: Error {
  case malformed([UInt8])
  case connection(SocketError)
}

extension Framing {
  static let readings = Framing.lengthPrefixed(by: 2, longest: 1_000)
}

extension Connection {
  var readings: EventStream<Reading, ReadingError> {
    messages(framed: .readings)
      .mapFailure { ReadingError.connection($0) }
      .map { message throws(ReadingError) in try Reading(message) }
  }

  func send(_ reading: Reading) { _ = write(Framing.readings.encode(reading.message)) }
}

let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
Connection.connect(to: .address(server.address), on: EventLoop.main).observe(
  succeeded: { sensor in sensor.send(Reading(sensor: 7, millidegrees: -21_500)) },
  failed: { print($0) })
let readings = server.connections.failing(with: ReadingError.self).flatMap { $0.readings }
if let reading = try EventLoop.main.run(until: readings.take(1)) {
  print("sensor \(reading.sensor): \(reading.millidegrees)")
}

// Output:
// sensor 7: -21500
