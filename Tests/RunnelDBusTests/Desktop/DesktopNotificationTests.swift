import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DesktopNotificationTests {
  @Test func actionsAndTheEndAreEvents() async {
    await withNotifications { stage in
      var note = DesktopNotification("Title", text: "a < b & c", icon: "document")
      note.actions = [.init("open", "Open"), .init(DesktopNotification.Action.defaultKey, "Show")]
      note.urgency = .critical
      note.isTransient = true
      note.duration = .milliseconds(1_500)
      note.hints = ["category": Variant("im")]
      let shown = stage.show(note)
      stage.events.wait(for: 1)
      #expect(
        stage.log.all == [
          "Notes 0 document Title a &lt; b &amp; c "
            + #"["open", "Open", "default", "Show"] "#
            + #"["category=string(\"im\")", "desktop-entry=string(\"org.example.Notes\")", "#
            + #""transient=boolean(true)", "urgency=byte(2)"] 1500"#
        ])
      stage.bus.loop.wait {
        // Those of other notifications are left out.
        stage.service.value?.invoked.next((7, "open"))
        stage.service.value?.invoked.next((1, "open"))
        stage.service.value?.closed.next((7, 1))
        stage.service.value?.closed.next((1, 2))
      }
      stage.events.wait(for: 4)
      #expect(
        stage.events.all
          == [
            "shown", "invoked(\"open\")",
            "closed(\(DesktopNotificationEvent.Reason.dismissed))", "completed",
          ].map {
            $0.replacing("closed(", with: "closed(RunnelDBus.DesktopNotificationEvent.Reason.")
          })
      stage.bus.loop.wait { shown.value.dispose() }
      #expect(!stage.log.all.contains("close 1"))
    }
  }

  @Test func disposalWithdraws() async {
    await withNotifications { stage in
      let shown = stage.show(DesktopNotification("Title"))
      stage.events.wait(for: 1)
      stage.bus.loop.wait { shown.value.dispose() }
      #expect(stage.log.wait(for: 2).last == "close 1")
      #expect(stage.events.all == ["shown"])
    }
  }

  /// The number is not known when the observation is disposed.
  @Test func disposalBeforeTheReplyWithdraws() async {
    await withNotifications { stage in
      stage.bus.loop.wait { stage.service.value?.isSlow = true }
      let shown = stage.show(DesktopNotification("Title"))
      stage.log.wait(for: 1)
      stage.bus.loop.wait { shown.value.dispose() }
      stage.bus.loop.wait { stage.service.value?.waiting.removeFirst()() }
      #expect(stage.log.wait(for: 2).last == "close 1")
      #expect(stage.events.all == [])
    }
  }

  @Test func contentsReplaceEachOther() async {
    await withNotifications { stage in
      stage.bus.loop.wait { stage.service.value?.isSlow = true }
      let contents = Confined(PushStream<DesktopNotification>())
      let shown = Confined(Disposable.none)
      stage.bus.loop.wait {
        shown.value = stage.observe(stage.notifications.value?.show(contents.value.stream))
        contents.value.next(DesktopNotification("1 %"))
      }
      stage.log.wait(for: 1)
      stage.bus.loop.wait {
        for percent in 2...9 { contents.value.next(DesktopNotification("\(percent) %")) }
        stage.service.value?.waiting.removeFirst()()
      }
      // Only the latest is sent.
      let sent = stage.log.wait(for: 2)
      #expect(sent[0].hasPrefix("Notes 0  1 %"))
      #expect(sent[1].hasPrefix("Notes 1  9 %"))
      stage.bus.loop.wait { stage.service.value?.waiting.removeFirst()() }
      #expect(stage.events.wait(for: 2) == ["shown", "shown"])
      stage.bus.loop.wait { shown.value.dispose() }
      #expect(stage.log.wait(for: 3).last == "close 1")
    }
  }

  @Test func servicesWithFewAbilitiesGetPlainText() async {
    await withNotifications { stage in
      stage.bus.loop.wait { stage.service.value?.abilities = [] }
      var note = DesktopNotification("Title", text: "a < b")
      note.actions = [.init("open", "Open")]
      _ = stage.show(note)
      stage.events.wait(for: 1)
      #expect(stage.log.all[0].hasPrefix("Notes 0  Title a < b [] "))
    }
  }

  @Test func theEndOfTheServiceClosesAll() async {
    await withNotifications { stage in
      _ = stage.show(DesktopNotification("Title"))
      stage.events.wait(for: 1)
      stage.bus.loop.wait { stage.server.value?.close() }
      let events = stage.events.wait(for: 3)
      #expect(events[1].contains("serviceEnded"))
      #expect(events[2] == "completed")
      // Nobody shows the next one.
      _ = stage.show(DesktopNotification("Title"))
      let last = stage.events.wait(for: 4)[3]
      #expect(last.hasPrefix("failed ") && last.contains(DesktopNotifications.service), "\(last)")
    }
  }

  /// The service of python-dbusmock, which is killed and started again.
  @Test func aMockedServiceShowsNotifications() async {
    await withBus { bus in
      let client = bus.connect()
      let events = EventLog<String>()
      func show() {
        bus.loop.wait {
          guard let client = client.value else { return }
          var note = DesktopNotification("Conflict", text: "a < b")
          note.actions = [.init("open", "Open")]
          _ = DesktopNotifications(of: "Notes", on: client).show(note).observe(
            next: { events.add("\($0)") }, failed: { events.add("failed \($0)") },
            completed: { events.add("completed") })
        }
      }
      func withMock(_ body: () -> Void) {
        bus.withMock(
          "notification_daemon", parameters: #"{"capabilities": "actions body body-markup"}"#,
          named: DesktopNotifications.service, body)
      }
      withMock {
        show()
        events.wait(for: 1)
        bus.tellMock(
          "EmitSignal", at: DesktopNotifications.path, of: DesktopNotifications.service
        ) { writer throws(BusError) in
          try DesktopNotifications.service.write(to: writer)
          for text in ["ActionInvoked", "us"] { try text.write(to: writer) }
          try [Variant(UInt32(1)), Variant("open")].write(to: writer)
        }
        events.wait(for: 2)
        let close = BusMethod(
          "CloseNotification", of: DesktopNotifications.service, at: DesktopNotifications.path,
          from: DesktopNotifications.service)
        _ = bus.loop.result(of: close, on: client) { writer throws(BusError) in
          try Int32(1).write(to: writer)
        }
        #expect(
          events.wait(for: 4) == [
            "shown", #"invoked("open")"#,
            "closed(RunnelDBus.DesktopNotificationEvent.Reason.expired)",
            "completed",
          ])
        show()
        events.wait(for: 5)
      }
      #expect(
        events.wait(for: 7)[5...] == [
          "closed(RunnelDBus.DesktopNotificationEvent.Reason.serviceEnded)", "completed",
        ])
      show()
      #expect(events.wait(for: 8).last?.hasPrefix("failed ") == true)
      withMock {
        show()
        #expect(events.wait(for: 9).last == "shown")
      }
      bus.loop.wait { client.value = nil }
    }
  }

  @Test func refusalsAreErrors() async {
    await withNotifications { stage in
      _ = stage.show(DesktopNotification("refused"))
      #expect(stage.events.wait(for: 1)[0].contains("no room"))
      _ = stage.show(DesktopNotification("zero\0"))
      #expect(stage.events.wait(for: 2)[1] == "failed \(BusError.invalidText)")
    }
  }

  /// An observer that ends the observation in its first event.
  @Test func disposalInAnEventWithdraws() async {
    await withNotifications { stage in
      let observation = Confined(Disposable.none)
      stage.bus.loop.wait {
        let stream = stage.notifications.value?.show(DesktopNotification("Title"))
        observation.value =
          stream?.observe(next: { event in
            stage.events.add("\(event)")
            observation.value.dispose()
          }) ?? .none
      }
      #expect(stage.log.wait(for: 2).last == "close 1")
      #expect(stage.events.all == ["shown"])
    }
  }

  @Test(
    arguments: [
      (nil, -1), (Duration.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1), (.seconds(2), 2_000),
      (.seconds(Int64.max), Int32.max),
    ] as [(Duration?, Int32)])
  func durationsAreMilliseconds(_ duration: Duration?, _ expected: Int32) async {
    await withNotifications { stage in
      var note = DesktopNotification("Title")
      note.duration = duration
      _ = stage.show(note)
      stage.events.wait(for: 1)
      #expect(stage.log.all[0].hasSuffix(" \(expected)"))
    }
  }
}
