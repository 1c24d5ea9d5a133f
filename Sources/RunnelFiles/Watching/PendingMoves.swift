/// The departures of moves whose arrivals have not been reported.
struct PendingMoves {
  struct Departure {
    /// The system's counter value that both halves of a move share.
    let cookie: UInt32
    let folder: WatchedFolder
    let name: PathBytes
  }

  private var departures: [UInt32: Departure] = [:]
  /// The cookies by folder and name.
  private var cookies: [Int32: [PathBytes: UInt32]] = [:]

  var isEmpty: Bool { departures.isEmpty }

  /// All cookies, oldest departure first.
  var inOrder: [UInt32] { Self.sorted(departures.keys) }

  /// The cookies of departures from some folders, oldest first.
  func inOrder(from folders: [WatchedFolder]) -> [UInt32] {
    if isEmpty { return [] }
    return Self.sorted(folders.flatMap { cookies[$0.number]?.values.map(\.self) ?? [] })
  }

  mutating func insert(_ departure: Departure) {
    departures[departure.cookie] = departure
    cookies[departure.folder.number, default: [:]][departure.name] = departure.cookie
  }

  mutating func take(_ cookie: UInt32) -> Departure? {
    guard let departure = departures.removeValue(forKey: cookie) else { return nil }
    let number = departure.folder.number
    cookies[number]?[departure.name] = nil
    if cookies[number]?.isEmpty == true { cookies[number] = nil }
    return departure
  }

  mutating func take(_ name: PathBytes, from folder: WatchedFolder) -> Departure? {
    cookies[folder.number]?[name].flatMap { take($0) }
  }

  /// The counter overflows to zero.
  private static func sorted(_ cookies: some Collection<UInt32>) -> [UInt32] {
    cookies.sorted { Int32(bitPattern: $0 &- $1) < 0 }
  }
}
