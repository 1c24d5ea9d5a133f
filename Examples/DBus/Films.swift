import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)
let system = BusConnection(.system, on: .main)

let network = DesktopNetwork(session: bus, system: system)
network.status.distinctUntilChanged().observeNext { status in
  print("network:", status.map { "\($0.connectivity)" } ?? "unknown")
}

let power = DesktopPower(on: system)
power.battery.distinctUntilChanged().observeNext { battery in
  print("battery:", battery.map { "\($0.charge)" } ?? "unknown")
}

let session = LoginSession(on: system)
session.isLocked.distinctUntilChanged().observeNext { isLocked in
  print("locked:", isLocked.map { "\($0)" } ?? "unknown")
}

let inhibitor = DesktopInhibitor(of: "Films", session: bus, system: system)
let playing = inhibitor.inhibit([.sleep, .idle], because: "A film is shown.")
  .observe(next: { way in print("awake by", way) }, failed: { error in print(error) })
playing.dispose()

let opener = DesktopOpener(on: bus)
opener.open("no address").observe(failed: { error in print(error) })

let chooser = DesktopFileChooser(on: bus)
var dialog = DesktopFileDialog("Film", .open(several: false))
dialog.filters = [.init("Films", patterns: ["*.webm"])]
chooser.choose(dialog).observe(
  succeeded: { addresses in print("chosen:", addresses) },
  failed: { _ in
    print("There is no portal for files.")
    EventLoop.main.stop()
  })
EventLoop.main.run()

// Output:
// network: unknown
// battery: unknown
// locked: unknown
// "no address" is no address. Begin it with a scheme, such as https: or file:.
// There is no portal for files.
