import Glibc
import RunnelBus
import RunnelFiles

/// Adds and removes messages of a store in a loop, and prints each change when it is stored. A removal
/// is also printed before it begins. The topic and the payload follow from the number.
@MainActor func storeForever() {
  do {
    let store = try FileMessageStore(CommandLine.arguments[2])
    var waiting = try store.load().map(\.number)
    var number = UInt64(CommandLine.arguments[3]) ?? 0
    while true {
      number += 1
      let payload = [UInt8](repeating: UInt8(number % 251), count: Int(number * 397 % 3_000))
      try store.append(
        TransportMessage(topic: "t.\(number)", payload: payload, isAcknowledged: true),
        number: number)
      printLine("added \(number)")
      waiting.append(number)
      while waiting.count > Int(number * 31 % 40) {
        let oldest = waiting.removeFirst()
        printLine("removing \(oldest)")
        try store.remove(number: oldest)
        printLine("removed \(oldest)")
      }
    }
  } catch {
    printLine("\(error)")
  }
}
