import Foundation
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

private let programs = ["/usr/bin/Xvfb", "/usr/bin/dunst", "/usr/bin/xdotool"]

/// Notifications that the program dunst shows on a display in memory.
@Suite(.enabled(if: programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }))
struct DunstTests {
  private static let background: UInt32 = 0x204a87
  private static let foreground: UInt32 = 0xffffff

  private struct Stage {
    let bus: PrivateBus
    let display: String

    /// The display of the test and its files.
    var environment: [String: String] {
      [
        "DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": bus.folder.path,
        "XDG_CACHE_HOME": bus.folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
      ]
    }

    /// Waits until the display has the notification, or no longer has it.
    func picture(hasNotification: Bool) -> FrameBuffer? {
      let ask = BusMethod(
        "GetServerInformation", of: DesktopNotifications.service, at: DesktopNotifications.path,
        from: DesktopNotifications.service)
      let client = bus.connect()
      // Each call lets dunst draw.
      for _ in 0..<20_000 {
        let picture = FrameBuffer(bus.folder["Xvfb_screen0"])
        if let picture, hasText(picture) == hasNotification { return picture }
        _ = bus.loop.result(of: ask, on: client)
      }
      return nil
    }

    private func hasText(_ picture: FrameBuffer) -> Bool {
      guard let bounds = picture.bounds(of: background) else { return false }
      return picture.count(of: foreground, in: bounds) > 0
    }

    func click(_ x: Int, _ y: Int) {
      withProcessHere(
        ["/usr/bin/xdotool", "mousemove", "\(x)", "\(y)", "click", "1"], environment: environment
      ) { _ = $0.wait() }
    }
  }

  private func withDunst(_ body: @escaping @Sendable (Stage) -> Void) async {
    await withBus { bus in
      bus.folder.write(
        "dunstrc",
        """
        [global]
        origin = top-left
        offset = 20x20
        width = 400
        font = DejaVu Sans 14
        frame_width = 0
        corner_radius = 0
        mouse_left_click = do_action, close_current
        [urgency_normal]
        background = "#\(String(Self.background, radix: 16))"
        foreground = "#\(String(Self.foreground, radix: 16))"
        timeout = 0
        """)
      let server = [
        "/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp",
        "-fbdir", bus.folder.path,
      ]
      withProcessHere(untilParentEnds + server) { server in
        guard let number = server.readLine() else {
          Issue.record("Xvfb does not start.")
          return
        }
        let stage = Stage(bus: bus, display: ":\(number)")
        bus.withProgram(
          ["/usr/bin/dunst", "-config", bus.folder["dunstrc"]], environment: stage.environment,
          named: DesktopNotifications.service
        ) { body(stage) }
      }
    }
  }

  @Test("A click on a notification on the screen runs the handler of its action")
  func aClickIsAnAction() async {
    await withDunst { stage in
      let client = stage.bus.connect()
      let events = EventLog<String>()
      stage.bus.loop.wait {
        guard let client = client.value else { return }
        var note = DesktopNotification(
          "Plans was changed twice", text: "Another program has changed it at the same time.")
        note.actions = [.init("open", "Open")]
        _ = DesktopNotifications(of: "Notes", on: client).show(note).observe(
          next: { events.add("\($0)") }, failed: { events.add("failed \($0)") },
          completed: { events.add("completed") })
      }
      #expect(events.wait(for: 1) == ["shown"])
      guard let picture = stage.picture(hasNotification: true),
        let bounds = picture.bounds(of: Self.background)
      else {
        Issue.record("There is no notification on the screen.")
        return
      }
      // The title and the text, at the place of the configuration.
      #expect((15...25).contains(bounds.x.lowerBound) && (15...25).contains(bounds.y.lowerBound))
      #expect((300...500).contains(bounds.x.count) && (40...120).contains(bounds.y.count))
      #expect((500...20_000).contains(picture.count(of: Self.foreground, in: bounds)))
      stage.click(bounds.x.lowerBound + bounds.x.count / 2, bounds.y.lowerBound + 10)
      #expect(
        events.wait(for: 4) == [
          "shown", #"invoked("open")"#,
          "closed(RunnelDBus.DesktopNotificationEvent.Reason.dismissed)", "completed",
        ])
      #expect(stage.picture(hasNotification: false) != nil)
      stage.bus.loop.wait { client.value = nil }
    }
  }
}
