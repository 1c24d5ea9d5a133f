import Synchronization

/// A registry of live observations, bindings and subjects, with the source locations at which they
/// were created.
///
/// Use it in leak tests. Nothing is counted unless tracking is on:
///
///     Resources.tracking { resources in
///       numbers.map { $0 * 10 }.observeNext { show($0) }
///       print(resources.names)  // [] if nothing leaked
///     }
///
/// The example counts objects that one thread creates within a block. `Resources.startTracking()`
/// counts all objects that the program creates from then on. Read them through ``total`` and
/// ``names`` of ``shared``.
public final class Resources: Sendable {
  private struct Entries {
    var names: [Int: String] = [:]
    var last = 0
  }

  /// The registry that one thread records in while it runs a block of ``tracking(_:)``.
  private static let tracker = ThreadOverride<Resources>()
  private static let isTrackingAll = Atomic(false)
  private let entries = Monitor(Entries())

  private init() {}

  /// The registry of all objects created since ``startTracking()`` was called.
  public static let shared = Resources()

  /// The number of live observations, bindings and subjects.
  public var total: Int { entries.withLock { $0.names.count } }

  /// The type and source location of each live object, in the order of creation.
  public var names: [String] {
    entries.withLock { entries in entries.names.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Starts to count all objects that the program creates, in ``shared``. Tracking cannot be
  /// stopped.
  public static func startTracking() {
    isTrackingAll.store(true, ordering: .relaxed)
    tracker.markUsed()
  }

  /// Counts the objects that this thread creates while the block runs. They are entered in a
  /// registry of their own, and in no other.
  public static func tracking<Result, Failure: Error>(
    _ body: (Resources) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let registry = Resources()
    return try tracker.with(registry) { () throws(Failure) in try body(registry) }
  }

  /// An entry of a registry, which is removed when the record is released.
  @usableFromInline
  final class Record {
    private let registry: Resources
    private let number: Int

    fileprivate init(_ name: String, in registry: Resources) {
      self.registry = registry
      number = registry.entries.withLock { entries in
        entries.last += 1
        entries.names[entries.last] = name
        return entries.last
      }
    }

    deinit {
      registry.entries.withLock { entries in _ = entries.names.removeValue(forKey: number) }
    }
  }

  /// True while tracking is on, on any thread.
  @usableFromInline
  static var isTracking: Bool { tracker.isUsed }

  /// Adds an entry for a new object. Returns nil if tracking is off on this thread.
  @usableFromInline
  static func record(_ kind: Any.Type, _ place: SourceLocation) -> Record? {
    let all = isTrackingAll.load(ordering: .relaxed) ? shared : nil
    guard let registry = tracker.current ?? all else { return nil }
    return Record("\(kind) at \(place)", in: registry)
  }
}

/// A location in the source code at which an observation or a subject was created.
@frozen
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
  /// The module and the file name.
  public let file: StaticString
  /// The line number in the file.
  public let line: UInt

  /// Creates a location, by default that of the call.
  @inlinable
  public init(file: StaticString = #fileID, line: UInt = #line) {
    self.file = file
    self.line = line
  }

  /// The location in the form `Module/File.swift:12`.
  public var description: String { "\(file):\(line)" }

  /// Returns true if both are the same location.
  public static func == (left: Self, right: Self) -> Bool {
    left.description == right.description
  }

  /// Hashes the location.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}
