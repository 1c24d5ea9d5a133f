import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct IntrospectionTests {
  // MARK: - Standard interfaces

  @Test func everyPathAnswersThePeerInterface() async {
    await withPlayerClient { bus, client, _, _ in
      let peer = "org.freedesktop.DBus.Peer"
      #expect(bus.player("Ping", of: peer, at: "/any", on: client) == .values(""))
      if case .error(.unknownMethod) = bus.player("None", of: peer, on: client) {
      } else {
        Issue.record("An unknown method.")
      }
      switch bus.player("GetMachineId", of: peer, on: client) {
      case .values(let text): #expect(text.hasPrefix("string("))
      // A machine without an identifier answers, and keeps the connection.
      case .error(let error): #expect(error == .failed("The machine has no identifier."))
      case .none: break
      }
      #expect(bus.player("Note", on: client, .uint32(1)) == .values(""))
    }
  }

  @Test func interfacesWithOneNameTrap() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let loop = EventLoop(name: "test")
      loop.wait {
        let bus = BusConnection(.bus("unix:path=/nonexistent/bus"), on: loop)
        bus.export(BusInterface("org.example.A"), BusInterface("org.example.A"), at: "/one")
      }
    }
    let says = result.says("two interfaces of one name")
    #expect(says)
  }

  // MARK: - Introspection

  @Test func objectsAreDescribed() async {
    await withBus { bus in
      bus.withPlayer { _, _ in
        let text = output(
          "/usr/bin/gdbus", "introspect", "--address", bus.address, "--dest",
          "org.example.Player", "--object-path", "/one")
        for part in [
          "Add(in  i left,", "in  i right,", "out i sum);", "Moved(x position);",
          "readwrite d Volume = 0.5;", "readonly s Version = '1.0';",
        ] { #expect(text.contains(part), "\(text)") }
        let root = output(
          "/usr/bin/gdbus", "introspect", "--address", bus.address, "--dest",
          "org.example.Player", "--object-path", "/")
        #expect(root.contains("node one {"))
        let sum = output(
          "/usr/bin/gdbus", "call", "--address", bus.address, "--dest", "org.example.Player",
          "--object-path", "/one", "--method", "org.example.Player.Add", "40", "2")
        #expect(sum == "(42,)")
      }
    }
  }

  @Test func descriptionIsXML() {
    var interface = BusInterface("org.example.Player")
    interface.method("Play", "title") { (_: String) throws(BusError) in }
    interface.constant("Version", "1.0")
    let text = Introspection.describe([interface], children: ["one"])
    #expect(
      text.contains(
        """
         <interface name="org.example.Player">
          <method name="Play">
           <arg name="title" type="s" direction="in"/>
          </method>
          <property name="Version" type="s" access="read">
           <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
          </property>
         </interface>
         <node name="one"/>
        </node>
        """))
  }
}
