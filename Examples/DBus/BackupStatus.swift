import Glibc
import Runnel
import RunnelDBus

@BusInterface("org.example.Backup")
@MainActor protocol BackupStatus {
  func begin() throws(BusError)
  var phase: ReadOnlyProperty<String> { get }
  var fileCount: ReadOnlyProperty<UInt64> { get }
  var version: String { get }
}

final class Backup: BackupStatus {
  private let files = Property(UInt64(0))
  private let running = Property(false)
  var phase: ReadOnlyProperty<String> { running.map { $0 ? "copying" : "waiting" } }
  var fileCount: ReadOnlyProperty<UInt64> { files.readOnly }
  let version = "1.0"

  func begin() throws(BusError) {
    if running.value { throw .failed("It copies already.") }
    running.value = true
    files.value = 7
  }
}

// A daemon of the system uses `.system`.
let bus = BusConnection(.session, on: .main)
bus.export(Backup(), as: BackupStatusProxy.self, at: "/org/example/Backup") { call in
  call.access == .read || [0, getuid()].contains(call.caller.user)
}
let name = bus.name("org.example.Backup").share()
name.observe(failed: { error in print(error) })

// `busctl` is another program otherwise.
let person = BusConnection(.session, on: .main)
let status = BackupStatusProxy(
  at: "/org/example/Backup", from: "org.example.Backup", on: person)
do {
  try EventLoop.main.run(until: name)
  let version = status.version
  EventLoop.main.run(until: version.filter { $0 != nil })
  try EventLoop.main.run(until: status.begin())
  EventLoop.main.run(until: status.fileCount.filter { $0 == 7 })
  EventLoop.main.run(until: status.phase.filter { $0 == "copying" })
  print("copies", status.fileCount.value ?? 0, version.value ?? "")
  try EventLoop.main.run(until: status.begin())
} catch {
  print(error)
}

// Output:
// copies 7 1.0
// It copies already.
