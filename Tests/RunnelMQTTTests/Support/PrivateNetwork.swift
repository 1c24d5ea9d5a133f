import Glibc
import TestSupport
import Testing

/// A network of its own for a broker, whose cable to this machine a test can cut. Nobody notices the cut at once: packets
/// vanish. It ends with the broker.
struct PrivateNetwork {
  static let reason = "This process may not create a network namespace with a virtual cable."

  /// True if this process may create such a network, as the superuser usually may.
  static let isPermitted = succeeds(
    "exec /usr/bin/unshare -n /bin/sh -c 'ip link add name one type veth peer name two' 2>&1")

  /// The end of the cable here.
  private let near = "runnel\(getpid() % 1_000_000)"
  /// The end of the cable at the broker.
  private let far = "broker"
  /// The first numbers of both addresses, from the block for tests of networks.
  private let prefix = "198.18.\(getpid() / 60 % 250)"
  private let last = Int(getpid()) % 60 * 4

  /// The address of the broker.
  var address: String { "\(prefix).\(last + 2)" }

  /// The commands that lay the cable from inside the network. A shell runs them.
  var commands: String {
    """
    set -e
    ip link set lo up
    ip link add name \(far) type veth peer name \(near) netns \(getpid())
    ip addr add \(address)/30 dev \(far)
    ip link set \(far) up
    nsenter -t \(getpid()) -n ip addr add \(prefix).\(last + 1)/30 dev \(near)
    nsenter -t \(getpid()) -n ip link set \(near) up
    """
  }

  func cut(_ broker: PrivateBroker) { set("down", broker) }

  func heal(_ broker: PrivateBroker) { set("up", broker) }

  /// Sets the state of the far end. Here, the route stays, and no connection gets an error.
  private func set(_ state: String, _ broker: PrivateBroker) {
    let command = "exec nsenter -t \(broker.process.process) -n ip link set \(far) \(state)"
    #expect(Self.succeeds(command))
  }

  private static func succeeds(_ command: String) -> Bool {
    withProcessHere(["/bin/sh", "-c", command]) { process in
      _ = process.remainingLines()
      return process.wait() == .exit(0)
    }
  }
}
