import Runnel
import RunnelDBus

@BusInterface("org.mpris.MediaPlayer2")
@MainActor protocol MediaApplication {
  func raise() throws(BusError)
  func quit() throws(BusError)
  var canRaise: Bool { get }
  var canQuit: Bool { get }
  var hasTrackList: Bool { get }
  var identity: String { get }
  var supportedUriSchemes: [String] { get }
  var supportedMimeTypes: [String] { get }
}

@BusInterface("org.mpris.MediaPlayer2.Player")
@MainActor protocol MediaPlayer {
  func play() throws(BusError)
  func pause() throws(BusError)
  func playPause() throws(BusError)
  func stop() throws(BusError)
  func next() throws(BusError)
  func previous() throws(BusError)
  func seek(_ offset: Int64) throws(BusError)
  func setPosition(_ trackId: ObjectPath, _ position: Int64) throws(BusError)
  func openUri(_ uri: String) throws(BusError)
  var seeked: EventStream<Int64, Never> { get }
  var playbackStatus: ReadOnlyProperty<String> { get }
  var metadata: ReadOnlyProperty<[String: Variant]> { get }
  var volume: Property<Double> { get }
  @BusMember(changes: .silent) var position: ReadOnlyProperty<Int64> { get }
  var rate: Double { get }
  var minimumRate: Double { get }
  var maximumRate: Double { get }
  var canGoNext: ReadOnlyProperty<Bool> { get }
  var canGoPrevious: ReadOnlyProperty<Bool> { get }
  var canPlay: ReadOnlyProperty<Bool> { get }
  var canPause: ReadOnlyProperty<Bool> { get }
  var canSeek: ReadOnlyProperty<Bool> { get }
  var canControl: Bool { get }
}

final class Radio: MediaApplication, MediaPlayer {
  private let isPlaying = Property(false)
  private let station = Property(0)
  private let stations = ["Jazz", "News"]

  let (canRaise, canQuit, hasTrackList, identity) = (false, false, false, "Radio")
  let (supportedUriSchemes, supportedMimeTypes) = ([String](), [String]())
  func raise() {}
  func quit() {}

  let seeked = EventStream<Int64, Never>.never
  let volume = Property(1.0)
  let position = ReadOnlyProperty(constant: Int64(0))
  let (rate, minimumRate, maximumRate, canControl) = (1.0, 1.0, 1.0, true)
  let (canPlay, canPause) = (ReadOnlyProperty(constant: true), ReadOnlyProperty(constant: true))
  let canSeek = ReadOnlyProperty(constant: false)
  var canGoNext: ReadOnlyProperty<Bool> { station.map { [stations] in $0 < stations.count - 1 } }
  var canGoPrevious: ReadOnlyProperty<Bool> { station.map { $0 > 0 } }
  var playbackStatus: ReadOnlyProperty<String> { isPlaying.map { $0 ? "Playing" : "Stopped" } }
  var metadata: ReadOnlyProperty<[String: Variant]> {
    station.map { [stations] number in
      [
        "mpris:trackid": Variant(ObjectPath("/org/example/Radio/\(number)") ?? .root),
        "xesam:title": Variant(stations[number]),
      ]
    }
  }

  func play() { isPlaying.value = true }
  func pause() { isPlaying.value = false }
  func playPause() { isPlaying.value.toggle() }
  func stop() { isPlaying.value = false }
  func next() { station.value = min(station.value + 1, stations.count - 1) }
  func previous() { station.value = max(station.value - 1, 0) }
  func seek(_ offset: Int64) {}
  func setPosition(_ trackId: ObjectPath, _ position: Int64) {}
  func openUri(_ uri: String) {}
}

let bus = BusConnection(.session, on: .main)
let radio = Radio()
bus.export(
  MediaApplicationProxy.interface(of: radio), MediaPlayerProxy.interface(of: radio),
  at: "/org/mpris/MediaPlayer2")
let name = bus.name("org.mpris.MediaPlayer2.radio").share()
name.observe(failed: { error in print(error) })

// A program that controls players, which is another one otherwise.
let remote = BusConnection(.session, on: .main)
let list = BusMethod(
  "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
  from: "org.freedesktop.DBus")
do {
  try EventLoop.main.run(until: name)
  let names = try EventLoop.main.run(until: remote.call(list))?.value(as: [String].self) ?? []
  for name in names where name.hasPrefix("org.mpris.MediaPlayer2.") {
    let player = MediaPlayerProxy(at: "/org/mpris/MediaPlayer2", from: name, on: remote)
    let title = player.metadata.map { $0?["xesam:title"]?[String.self] }
    EventLoop.main.run(until: title.filter { $0 != nil })
    player.playPause().observe(failed: { error in print(error) })
    EventLoop.main.run(until: player.playbackStatus.filter { $0 == "Playing" })
    player.next().observe(failed: { error in print(error) })
    EventLoop.main.run(until: title.filter { $0 == "News" })
    EventLoop.main.run(until: player.canGoNext.filter { $0 == false })
    print("plays", title.value ?? "")
  }
} catch {
  print(error)
}

// Output:
// plays News
