import Glibc
import Runnel

@MainActor func follow(_ path: String, _ service: Lifecycle, _ apply: @escaping ([UInt8]) -> Void) {
  service.onReload { apply(try SafeFile(path).contents(upTo: 1 << 20).bytes) }
}

try SafeFile("meter.conf").create(Array("every 10 s".utf8))
let outcome = EventLoop.main.runUntilTerminated { service in
  follow("meter.conf", service) { bytes in
    print(String(decoding: bytes, as: UTF8.self))
    service.shutDown()
  }
  kill(getpid(), SIGHUP)  // as `systemctl reload` does
}
exit(outcome.exitCode)

// Output:
// every 10 s
