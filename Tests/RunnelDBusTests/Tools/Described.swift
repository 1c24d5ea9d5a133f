// swift-format-ignore-file
import RunnelDBus
import RunnelStreams

struct DeckHTTPServerIn: BusStructure {
  var part1: ObjectPath
  var part2: [String: String]
  static let members = [ObjectPath.busType, [String: String].busType]
  func writeMembers(to writer: BusWriter) throws(BusError) {
    try part1.write(to: writer)
    try part2.write(to: writer)
  }
  init(members reader: BusReader) throws(BusError) {
    part1 = try ObjectPath(from: reader)
    part2 = try [String: String](from: reader)
  }
}

struct DeckHTTPServerRepeatPart: BusStructure {
  var part1: Int32
  var part2: UInt8
  static let members = [Int32.busType, UInt8.busType]
  func writeMembers(to writer: BusWriter) throws(BusError) {
    try part1.write(to: writer)
    try part2.write(to: writer)
  }
  init(members reader: BusReader) throws(BusError) {
    part1 = try Int32(from: reader)
    part2 = try UInt8(from: reader)
  }
}

struct DeckHTTPServerRepeat: BusStructure {
  var part1: Int32
  var part2: DeckHTTPServerRepeatPart
  static let members = [Int32.busType, DeckHTTPServerRepeatPart.busType]
  func writeMembers(to writer: BusWriter) throws(BusError) {
    try part1.write(to: writer)
    try part2.write(to: writer)
  }
  init(members reader: BusReader) throws(BusError) {
    part1 = try Int32(from: reader)
    part2 = try DeckHTTPServerRepeatPart(from: reader)
  }
}

struct DeckTwiceA: BusStructure {
  var part1: Int32
  var part2: Int32
  static let members = [Int32.busType, Int32.busType]
  func writeMembers(to writer: BusWriter) throws(BusError) {
    try part1.write(to: writer)
    try part2.write(to: writer)
  }
  init(members reader: BusReader) throws(BusError) {
    part1 = try Int32(from: reader)
    part2 = try Int32(from: reader)
  }
}

@BusInterface("org.example.Deck")
@MainActor protocol Deck {
  func play(_ title: String) throws(BusError)
  func getURL() throws(BusError) -> String
  @BusMember("HTTPServer") func httpServer(_ argument1: [String: Variant], portNumber: UInt16) throws(BusError) -> (in: [DeckHTTPServerIn], repeat: DeckHTTPServerRepeat)
  @BusMember("repeat") func `repeat`() throws(BusError)
  func twice(_ a: DeckTwiceA, a2: BusDescriptor) throws(BusError)
  // method Broken: 'v' is no key of a dictionary.
  var volume: EventStream<Void, Never> { get }
  var moved: EventStream<(thePosition: Int64, value2: Int64), Never> { get }
  @BusMember("Volume") var volumeProperty: Property<Double> { get }
  var version: String { get }
  @BusMember("URLs", changes: .withoutValue) var urls: ReadOnlyProperty<[String]> { get }
  // property Secret: it can only be written: use RemoteProperties.set.
}

struct Deck2Remote: BusStructure {
  var part1: ObjectPath
  var part2: [String: String]
  static let members = [ObjectPath.busType, [String: String].busType]
  func writeMembers(to writer: BusWriter) throws(BusError) {
    try part1.write(to: writer)
    try part2.write(to: writer)
  }
  init(members reader: BusReader) throws(BusError) {
    part1 = try ObjectPath(from: reader)
    part2 = try [String: String](from: reader)
  }
}

@BusInterface("org.example.other.Deck")
@MainActor protocol Deck2 {
  @BusMember("Remote") var remoteProperty: ReadOnlyProperty<[Deck2Remote]> { get }
}
