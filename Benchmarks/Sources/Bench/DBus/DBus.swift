import CBaseline
import Foundation
import Glibc
import Runnel
import RunnelDBus

/// Measures calls and signals of a typed interface, compared with sd-bus in C. Two connections on one
/// loop exchange messages over a socket, without a bus between. All threads run on one processor.
func measureDBus(_ report: inout Report) {
  let count = 20_000
  for (depth, suffix) in [(1, ", one at a time"), (64, "")] {
    report.ratio(
      "a typed call" + suffix, attempts: 5, alternates: true,
      beside: { baseline { dbus_call(Int32(depth), count) } },
      { onLoop { try Exchange(depth, count: count, on: $0, $1).call() } })
    report.ratio(
      "a typed signal" + suffix, attempts: 5, alternates: true,
      beside: { baseline { dbus_signal(Int32(depth), count) } },
      { onLoop { try Exchange(depth, count: count, on: $0, $1).receive() } })
  }
  measureIdleness(&report)
}

@BusInterface("org.example.Shop")
protocol Shop {
  func find(_ title: String, number: UInt32) -> (title: String, number: UInt32)
  var sold: EventStream<(title: String, number: UInt32), Never> { get }
}

private final class LocalShop: Shop {
  let sales = PushStream<(title: String, number: UInt32)>()
  var sold: EventStream<(title: String, number: UInt32), Never> { sales.stream }

  func find(_ title: String, number: UInt32) -> (title: String, number: UInt32) { (title, number) }
}

/// Two connections, over which at most `depth` messages are on their way.
private final class Exchange {
  private let shop = LocalShop()
  private let server: BusConnection
  private let client: BusConnection
  private let proxy: ShopProxy
  private let messages: MessageCount
  private let closes: Bool
  private let finish: (Double) -> Void

  init(
    _ depth: Int, count: Int, on loop: EventLoop, closes: Bool = true,
    _ finish: @escaping (Double) -> Void
  ) throws {
    (server, client) = try BusConnection.pair(on: loop)
    server.export(shop, as: ShopProxy.self, at: "/bench/shop")
    proxy = ShopProxy(at: "/bench/shop", from: nil, on: client)
    messages = MessageCount(depth, of: count)
    self.closes = closes
    self.finish = finish
  }

  func call() { start { self.sendCalls() } }

  private func sendCalls() {
    messages.fill { number in
      proxy.find("a pound of tea", number: UInt32(number)).observe(
        succeeded: { found in self.receive(found.number) { self.sendCalls() } },
        failed: { Main.fail("\($0)") })
    }
  }

  func receive() {
    proxy.sold.observe(
      next: { sale in self.receive(sale.number) { self.sendSignals() } },
      failed: { Main.fail("\($0)") })
    start { self.sendSignals() }
  }

  private func sendSignals() {
    messages.fill { shop.sales.next(("a pound of tea", UInt32($0))) }
  }

  /// Begins when both connections are authenticated.
  private func start(_ begin: @escaping () -> Void) {
    let connected = BusConnection.State.connected(uniqueName: nil)
    for side in [client, server] {
      side.state.observeNext { _ in
        guard !self.messages.hasBegun, self.client.state.value == connected else { return }
        guard self.server.state.value == connected else { return }
        self.messages.begin()
        begin()
      }
    }
  }

  private func receive(_ number: UInt32, _ next: () -> Void) {
    guard let time = messages.receive(Int(number)) else { return next() }
    if closes { close() }
    finish(time)
  }

  func close() {
    client.close()
    server.close()
  }
}

// MARK: - Idleness

/// Measures the threads that two connections make, and how often their thread wakes up while no message
/// arrives for 10 seconds.
private func measureIdleness(_ report: inout Report) {
  let loop = EventLoop(name: "idle")
  let done = DispatchSemaphore(value: 0)
  // Safety: the loop writes before it signals, and this thread reads after it has waited.
  nonisolated(unsafe) var exchange: Exchange?
  nonisolated(unsafe) var thread = ""
  loop.execute {
    thread = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    done.signal()
  }
  done.wait()
  let threads = threadCount()
  loop.execute {
    exchange = try? Exchange(1, count: 1_000, on: loop, closes: false) { _ in done.signal() }
    exchange?.call()
  }
  done.wait()
  report.number("threads of two connections", threadCount() - threads, .threads)
  // The loop waits for jobs for a moment before it sleeps.
  sleep(1)
  let before = wakeUps(of: thread)
  sleep(10)
  report.number("10 s without messages", wakeUps(of: thread) - before, .wakeUps)
  loop.execute {
    exchange?.close()
    exchange = nil
    done.signal()
  }
  done.wait()
  loop.stop()
  loop.join()
}

private func threadCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

/// The number of times that a thread has waited in a system call. One that waits all the time makes no other
/// system call.
private func wakeUps(of thread: String) -> Int {
  let status = try? String(contentsOfFile: "/proc/\(thread)/status", encoding: .utf8)
  let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
  guard let number = line?.split(separator: "\t").last.flatMap({ Int($0) }) else {
    Main.fail("The status of the thread cannot be read.")
  }
  return number
}
