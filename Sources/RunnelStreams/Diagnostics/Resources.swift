import Synchronization

/// A ledger of what is alive: observations, bindings and subjects, with the places where they were
/// made.
///
/// It is for leak tests. Nothing is counted until someone asks for it:
///
///     Resources.tracking { resources in
///       numbers.map { $0 * 10 }.observeNext { show($0) }
///       print(resources.names)  // [] where nothing is left
///     }
///
/// counts what one thread makes within a block. `Resources.startTracking()` counts all that is made
/// in the program from then on; read it through ``total`` and ``names`` of ``shared``.
public final class Resources: Sendable {
  private struct Entries {
    var names: [Int: String] = [:]
    var last = 0
  }

  /// The ledger that one thread counts in, while it runs a block of ``tracking(_:)``.
  private final class Tracker {
    static let perThread = ThreadLocal { Tracker() }
    var ledger: Resources?
  }

  private static let trackers = Atomic(0)
  private static let isTrackingAll = Atomic(false)
  private let entries = Monitor(Entries())

  private init() {}

  /// What is alive of all that was made since ``startTracking()``.
  public static let shared = Resources()

  /// How many observations, bindings and subjects are alive.
  public var total: Int { entries.withLock { $0.names.count } }

  /// The live ones by name, in the order they were made: what each is and where it was made.
  public var names: [String] {
    entries.withLock { entries in entries.names.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Starts to count what the program makes, in ``shared``. It stays on.
  public static func startTracking() {
    isTrackingAll.store(true, ordering: .relaxed)
    trackers.add(1, ordering: .relaxed)
  }

  /// Counts what this thread makes while the block runs, in a ledger of its own and in no other.
  public static func tracking<Result, Failure: Error>(
    _ body: (Resources) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let ledger = Resources()
    let thread = Tracker.perThread.value
    let previous = thread.ledger
    thread.ledger = ledger
    trackers.add(1, ordering: .relaxed)
    defer {
      trackers.subtract(1, ordering: .relaxed)
      thread.ledger = previous
    }
    return try body(ledger)
  }

  /// One line of the ledger: it is struck out when the record is released.
  @usableFromInline
  final class Record {
    private let ledger: Resources
    private let number: Int

    fileprivate init(_ name: String, in ledger: Resources) {
      self.ledger = ledger
      number = ledger.entries.withLock { entries in
        entries.last += 1
        entries.names[entries.last] = name
        return entries.last
      }
    }

    deinit {
      ledger.entries.withLock { entries in _ = entries.names.removeValue(forKey: number) }
    }
  }

  /// Whether anybody counts, on whichever thread.
  @usableFromInline
  static var isTracking: Bool { trackers.load(ordering: .relaxed) > 0 }

  /// Enters something new, if anybody counts on this thread.
  @usableFromInline
  static func record(_ kind: Any.Type, _ place: SourceLocation) -> Record? {
    let all = isTrackingAll.load(ordering: .relaxed) ? shared : nil
    guard let ledger = Tracker.perThread.value.ledger ?? all else { return nil }
    return Record("\(kind) at \(place)", in: ledger)
  }
}

/// A place in the source: where an observation or a subject was made.
@frozen
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
  /// The module and the file.
  public let file: StaticString
  /// The line in the file.
  public let line: UInt

  /// A place; by default where this is written.
  @inlinable
  public init(file: StaticString = #fileID, line: UInt = #line) {
    self.file = file
    self.line = line
  }

  /// `Module/File.swift:12`.
  public var description: String { "\(file):\(line)" }

  /// Whether both are the same place.
  public static func == (left: Self, right: Self) -> Bool {
    left.description == right.description
  }

  /// Mixes the place into a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}
