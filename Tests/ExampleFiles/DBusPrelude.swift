// Declarations that the examples of D-Bus use. The file is compiled with the examples.
// An example declares whatever else it needs.

import RunnelDBus
import RunnelLoop
import RunnelStreams

/// The type of `self` in the examples.
@MainActor final class Screen: LifetimeOwner {
  let lifetime = Lifetime()
}

let loop = EventLoop.main

/// A connection to a program that has no objects.
@MainActor let bus = ends.client

/// A connection in place of one to the bus of the system.
@MainActor let system = ends.client

@MainActor private let ends: (server: BusConnection, client: BusConnection) = {
  do {
    return try BusConnection.pair(on: loop)
  } catch {
    fatalError("\(error)")
  }
}()

let setVolume = BusMethod(
  "SetVolume", of: "org.example.Player", at: "/org/example/Player", from: "org.example.Player")

@BusInterface("org.example.Player")
@MainActor protocol Player {
  func play(_ title: String) throws(BusError)
  var volume: Property<Double> { get }
}

@MainActor let musicPlayer: any Player = MusicPlayer()

private final class MusicPlayer: Player {
  let volume = Property(0.5)
  func play(_ title: String) throws(BusError) { show(title) }
}

/// The values that the example has shown, in words.
@MainActor var shown: [String] = []
@MainActor func show<each Value>(_ values: repeat each Value) {
  for value in repeat each values { shown.append("\(value)") }
}
