import RunnelStreams

/// The menu of a ``DesktopTrayItem`` on the bus, with the interface `com.canonical.dbusmenu`.
final class TrayMenu {
  static let interface = "com.canonical.dbusmenu"
  private static let root: Int32 = 0

  /// An item with its number. The root has no item.
  private struct Node {
    let item: TrayMenuItem?
    var children: [Int32] = []
  }

  private var nodes: [Int32: Node] = [:]
  private var revision: UInt32 = 0
  private let layouts = PushStream<(UInt32, Int32)>()

  init(_ items: [TrayMenuItem]) {
    set(items)
  }

  /// Replaces all items. Those of a menu that is open get new numbers, so a click on an old one does nothing.
  func set(_ items: [TrayMenuItem]) {
    nodes = [:]
    revision += 1
    // Revisions have different numbers.
    var next = Int32(truncatingIfNeeded: revision &* 1_000_003) & 0x3fff_ffff
    func add(_ item: TrayMenuItem) -> Int32 {
      next += 1
      let number = next
      let children = item.submenu.map(add)
      nodes[number] = Node(item: item, children: children)
      return number
    }
    let children = items.map(add)
    nodes[Self.root] = Node(item: nil, children: children)
    layouts.next((revision, Self.root))
  }

  private func values(_ number: Int32) -> [String: Variant] {
    guard let node = nodes[number] else { return [:] }
    return node.item?.values ?? ["children-display": Variant("submenu")]
  }

  private func layout(_ number: Int32, depth: Int32) -> Variant.Content {
    var children: [Variant.Content] = []
    // A negative depth is none.
    if depth != 0 {
      children = (nodes[number]?.children ?? []).map { child in
        .variant(Variant(layout(child, depth: depth - 1)))
      }
    }
    return .structure([
      .int32(number), Variant(values(number)).content, .array(of: .variant, children),
    ])
  }

  private func activate(_ number: Int32, _ event: String) {
    guard event == "clicked", let item = nodes[number]?.item, item.isEnabled else { return }
    item.action()
  }

  private func check(_ number: Int32) throws(BusError) {
    if nodes[number] == nil { throw .invalidArguments("There is no item \(number).") }
  }

  /// The interface, whose methods retain this object.
  var description: BusInterface {
    var interface = BusInterface(Self.interface)
    interface.constant("Version", UInt32(3))
    interface.constant("TextDirection", "ltr")
    interface.constant("Status", "normal")
    interface.constant("IconThemePath", [String]())
    let row = BusType.structure([.int32, .dictionary(key: .string, value: .variant)])
    interface.method(
      "GetLayout",
      arguments: [
        .init("parentId", .int32), .init("recursionDepth", .int32),
        .init("propertyNames", .array(.string)),
      ],
      results: [
        .init("revision", .uint32),
        .init(
          "layout",
          .structure([
            .int32, .dictionary(key: .string, value: .variant), .array(.variant),
          ])),
      ]
    ) { call throws(BusError) in
      let (parent, depth, _) = try call.body.values(
        as: Int32.self, Int32.self, [String].self)
      try self.check(parent)
      return .values { writer throws(BusError) in
        try self.revision.write(to: writer)
        try writer.write(self.layout(parent, depth: depth))
      }
    }
    interface.method(
      "GetGroupProperties",
      arguments: [.init("ids", .array(.int32)), .init("propertyNames", .array(.string))],
      results: [.init("properties", .array(row))]
    ) { call throws(BusError) in
      let (numbers, _) = try call.body.values(as: [Int32].self, [String].self)
      let wanted = numbers.isEmpty ? self.nodes.keys.sorted() : numbers
      let rows = wanted.filter { self.nodes[$0] != nil }.map { number in
        Variant.Content.structure([.int32(number), Variant(self.values(number)).content])
      }
      return .values { writer throws(BusError) in try writer.write(.array(of: row, rows)) }
    }
    interface.method("GetProperty", "id", "name", returning: "value") {
      (number: Int32, name: String) throws(BusError) in
      try self.check(number)
      guard let value = self.values(number)[name] else {
        throw .invalidArguments("The item \(number) has no property \(name).")
      }
      return value
    }
    interface.method("Event", "id", "eventId", "data", "timestamp") {
      (number: Int32, event: String, _: Variant, _: UInt32) throws(BusError) in
      try self.check(number)
      self.activate(number, event)
    }
    interface.method("EventGroup", "events", returning: "idErrors") {
      (events: [MenuEvent]) throws(BusError) in
      let unknown = events.map(\.number).filter { self.nodes[$0] == nil }
      for event in events { self.activate(event.number, event.name) }
      return unknown
    }
    interface.method("AboutToShow", "id", returning: "needUpdate") {
      (number: Int32) throws(BusError) in
      try self.check(number)
      return false
    }
    interface.method("AboutToShowGroup", "ids", results: ["updatesNeeded", "idErrors"]) {
      (numbers: [Int32]) throws(BusError) -> ([Int32], [Int32]) in
      ([], numbers.filter { self.nodes[$0] == nil })
    }
    interface.signal("LayoutUpdated", values: ["revision", "parent"], layouts.stream)
    return interface
  }

  private struct MenuEvent: BusStructure {
    let number: Int32
    let name: String

    static var members: [BusType] { [.int32, .string, .variant, .uint32] }

    func writeMembers(to writer: BusWriter) throws(BusError) {
      try number.write(to: writer)
      try name.write(to: writer)
      try Variant(Int32(0)).write(to: writer)
      try UInt32(0).write(to: writer)
    }

    init(members reader: BusReader) throws(BusError) {
      number = try Int32(from: reader)
      name = try String(from: reader)
      _ = try Variant(from: reader)
      _ = try UInt32(from: reader)
    }
  }
}
