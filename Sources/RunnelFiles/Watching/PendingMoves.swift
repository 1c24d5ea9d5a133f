/// The first halves of moves: what has left its place, until it is told where it has gone.
struct PendingMoves {
  struct Departure {
    /// What both halves of a move have in common. The system counts them.
    let cookie: UInt32
    let folder: WatchedFolder
    let name: PathBytes
  }

  private var pendingMoves: [UInt32: Departure] = [:]
  /// The same, by the folders that they have left.
  private var cookies: [Int32: [PathBytes: UInt32]] = [:]

  var isEmpty: Bool { pendingMoves.isEmpty }

  /// The cookies of all, the first to leave first.
  var inOrder: [UInt32] { Self.sorted(pendingMoves.keys) }

  /// The cookies of what has left one of these folders, the first to leave first.
  func inOrder(from folders: [WatchedFolder]) -> [UInt32] {
    if isEmpty { return [] }
    return Self.sorted(folders.flatMap { cookies[$0.number]?.values.map(\.self) ?? [] })
  }

  mutating func insert(_ departure: Departure) {
    pendingMoves[departure.cookie] = departure
    cookies[departure.folder.number, default: [:]][departure.name] = departure.cookie
  }

  mutating func take(_ cookie: UInt32) -> Departure? {
    guard let departure = pendingMoves.removeValue(forKey: cookie) else { return nil }
    let number = departure.folder.number
    cookies[number]?[departure.name] = nil
    if cookies[number]?.isEmpty == true { cookies[number] = nil }
    return departure
  }

  /// Takes what has left a folder under a name.
  mutating func take(_ name: PathBytes, from folder: WatchedFolder) -> Departure? {
    cookies[folder.number]?[name].flatMap { take($0) }
  }

  /// They are counted beyond the largest number, from zero on.
  private static func sorted(_ cookies: some Collection<UInt32>) -> [UInt32] {
    cookies.sorted { Int32(bitPattern: $0 &- $1) < 0 }
  }
}
