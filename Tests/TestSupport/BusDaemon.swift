import Testing

/// Runs a body with a `dbus-daemon` at the file `bus` of a folder, on a thread that may block. The arguments are the
/// daemon and its address. Returns nil if it does not start.
///
/// It has the limits of the bus of the system, and starts the services that another folder describes.
@discardableResult
package func withBusDaemon<Output>(
  in folder: TemporaryFolder, services: String, environment: [String: String] = [:],
  _ body: (Fixture, String) -> Output
) -> Output? {
  folder.write(
    "bus.conf",
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(folder["bus"])</listen>
      <auth>EXTERNAL</auth>
      <servicedir>\(services)</servicedir>
      <policy context="default">
        <allow send_destination="*"/>
        <allow receive_sender="*"/>
        <allow own="*"/>
      </policy>
      <limit name="max_replies_per_connection">128</limit>
      <limit name="max_match_rules_per_connection">512</limit>
    </busconfig>
    """)
  let daemon = [
    "/usr/bin/dbus-daemon", "--config-file=\(folder["bus.conf"])", "--nofork", "--print-address=1",
  ]
  return withProcessHere(untilParentEnds + daemon, environment: environment) { daemon in
    guard let address = daemon.readLine() else {
      Issue.record("dbus-daemon does not start.")
      return nil
    }
    return body(daemon, address)
  }
}
