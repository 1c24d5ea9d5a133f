import RunnelStreams

/// An interface that objects of this program have: its methods, properties and signals.
///
///     let volume = Property(0.5)
///     var player = BusInterface("org.example.Player")
///     player.method("Play", "title") { (title: String) throws(BusError) in
///       if title.isEmpty { throw .invalidArguments("The title is empty.") }
///       show(title)
///     }
///     player.writableProperty("Volume", volume)
///     bus.export(player, at: "/org/example/Player")
///
/// A name that violates the rules of D-Bus, and a member with the name of another one, trap.
public struct BusInterface {
  /// An argument or a result of a method, or a value of a signal.
  public struct Argument: Hashable, Sendable {
    /// The name for introspection, which may be empty.
    public let name: String
    /// The type on the bus.
    public let type: BusType

    /// Creates an argument.
    public init(_ name: String, _ type: BusType) {
      self.name = name
      self.type = type
    }
  }

  /// The announcement of changes of a property.
  public enum Changes: String, Hashable, Sendable {
    /// Each change is announced with the value.
    case withValue = "true"
    /// Each change is announced without the value, which clients read if they need it.
    case withoutValue = "invalidates"
    /// Changes are not announced.
    case silent = "false"
    /// The property does not change.
    case never = "const"
  }

  struct Method {
    let arguments: [Argument]
    let results: [Argument]
    let handler: (BusCall) throws(BusError) -> BusReply
    /// The types of the arguments.
    let types: [BusType]
    /// The signature of the results.
    let resultSignature: String

    init(
      arguments: [Argument], results: [Argument],
      handler: @escaping (BusCall) throws(BusError) -> BusReply
    ) {
      (self.arguments, self.results, self.handler) = (arguments, results, handler)
      types = arguments.map(\.type)
      resultSignature = Signature(results.map(\.type)).text
    }
  }

  typealias Encoding = () throws(BusError) -> Variant.Content

  struct Member {
    let type: BusType
    let changes: Changes
    let read: Encoding
    let write: ((BusReader) throws(BusError) -> Void)?
    /// Calls the closure at once and at each change, with a closure that encodes the new value.
    let observe: (@escaping (_ encode: @escaping Encoding) -> Void) -> Disposable
  }

  struct Emitter {
    let values: [Argument]
    /// Calls the first closure with each signal, as a closure that writes its values.
    let observe: (@escaping ((BusWriter) throws(BusError) -> Void) -> Void) -> Disposable
  }

  /// The name of the interface.
  public let name: String
  private(set) var methods: [(name: String, method: Method)] = []
  private(set) var properties: [(name: String, property: Member)] = []
  var signals: [(name: String, signal: Emitter)] = []

  /// Creates an interface without members.
  public init(_ name: String) {
    precondition(
      NameRules.isInterface(name),
      "\"\(name)\" is no name of an interface. Write for example \"org.example.Player\".")
    self.name = name
  }

  func check(_ member: String, isNew: Bool) {
    precondition(
      NameRules.isMember(member),
      "\"\(member)\" is no name of a member. Use ASCII letters, digits and _.")
    precondition(isNew, "\(name) has a member \(member) already. Use another name.")
  }

  // MARK: - Methods

  /// Adds a method. The handler reads the arguments of the call, whose types are right.
  ///
  /// *Events*: an error that the handler throws is the reply.
  public mutating func method(
    _ name: String, arguments: [Argument], results: [Argument],
    handler: @escaping (BusCall) throws(BusError) -> BusReply
  ) {
    check(name, isNew: !methods.contains { $0.name == name })
    methods.append((name, Method(arguments: arguments, results: results, handler: handler)))
  }

  /// Adds a method with the names of its arguments, which introspection shows. It replies with a value.
  @inlinable
  public mutating func method<each Input: BusValue, Output: BusValue>(
    _ name: String, _ names: String..., returning result: String = "",
    answer: @escaping (repeat each Input) throws(BusError) -> Output
  ) {
    let inputs = Self.arguments(names, (repeat (each Input).self))
    let types = inputs.map(\.type)
    method(name, arguments: inputs, results: [Argument(result, Output.busType)]) {
      call throws(BusError) in
      .value(
        try call.body.read(types) { reader throws(BusError) in
          try answer(repeat try (each Input)(from: reader))
        })
    }
  }

  /// Adds a method with the names of its arguments, which introspection shows. Its reply has no value.
  @inlinable
  public mutating func method<each Input: BusValue>(
    _ name: String, _ names: String...,
    answer: @escaping (repeat each Input) throws(BusError) -> Void
  ) {
    let inputs = Self.arguments(names, (repeat (each Input).self))
    let types = inputs.map(\.type)
    method(name, arguments: inputs, results: []) { call throws(BusError) in
      try call.body.read(types) { reader throws(BusError) in
        try answer(repeat try (each Input)(from: reader))
      }
      return .empty
    }
  }

  /// Adds a method with the names of its arguments, which introspection shows. It replies with a value
  /// when the single has ended. Meanwhile other calls are served.
  @inlinable
  public mutating func method<each Input: BusValue, Output: BusValue>(
    _ name: String, _ names: String..., returning result: String = "",
    later answer: @escaping (repeat each Input) throws(BusError) -> Single<Output, BusError>
  ) {
    let inputs = Self.arguments(names, (repeat (each Input).self))
    let types = inputs.map(\.type)
    method(name, arguments: inputs, results: [Argument(result, Output.busType)]) {
      call throws(BusError) in
      let single = try call.body.read(types) { reader throws(BusError) in
        try answer(repeat try (each Input)(from: reader))
      }
      return .later(single.map { .value($0) })
    }
  }

  /// Adds a method with the names of its arguments, which introspection shows. It replies without a value
  /// when the completable has ended. Meanwhile other calls are served.
  @_disfavoredOverload  // A closure that only throws is an `answer`.
  @inlinable
  public mutating func method<each Input: BusValue>(
    _ name: String, _ names: String...,
    later answer: @escaping (repeat each Input) throws(BusError) -> Completable<BusError>
  ) {
    let inputs = Self.arguments(names, (repeat (each Input).self))
    let types = inputs.map(\.type)
    method(name, arguments: inputs, results: []) { call throws(BusError) in
      let work = try call.body.read(types) { reader throws(BusError) in
        try answer(repeat try (each Input)(from: reader))
      }
      return .later(
        Single { finish in
          work.observe(
            completed: { finish(.success(.empty)) }, failed: { finish(.failure($0)) })
        })
    }
  }

  /// Adds a method with the names of its arguments and results, which introspection shows. It replies with
  /// the values of a tuple.
  @inlinable
  public mutating func method<each Input: BusValue, each Output: BusValue>(
    _ name: String, _ names: String..., results: [String],
    answer: @escaping (repeat each Input) throws(BusError) -> (repeat each Output)
  ) {
    let inputs = Self.arguments(names, (repeat (each Input).self))
    let outputs = Self.arguments(results, (repeat (each Output).self))
    let types = inputs.map(\.type)
    method(name, arguments: inputs, results: outputs) { call throws(BusError) in
      let values: (repeat each Output) = try call.body.read(types) { reader throws(BusError) in
        try answer(repeat try (each Input)(from: reader))
      }
      return Self.reply(repeat each values)
    }
  }

  /// Adds a method with the names of its arguments and results, which introspection shows. It replies with
  /// the values of a tuple when the single has ended. Meanwhile other calls are served.
  @inlinable
  public mutating func method<each Input: BusValue, each Output: BusValue>(
    _ name: String, _ names: String..., results: [String],
    later answer:
      @escaping (repeat each Input) throws(BusError) -> Single<
        (repeat each Output), BusError
      >
  ) {
    let inputs = Self.arguments(names, (repeat (each Input).self))
    let outputs = Self.arguments(results, (repeat (each Output).self))
    let types = inputs.map(\.type)
    method(name, arguments: inputs, results: outputs) { call throws(BusError) in
      let single = try call.body.read(types) { reader throws(BusError) in
        try answer(repeat try (each Input)(from: reader))
      }
      return .later(single.map { Self.reply(repeat each $0) })
    }
  }

  @inlinable
  static func reply<each Value: BusValue>(_ values: repeat each Value) -> BusReply {
    .values { writer throws(BusError) in
      repeat try (each values).write(to: writer)
    }
  }

  @inlinable
  static func arguments<each Input: BusValue>(
    _ names: [String], _ types: (repeat (each Input).Type)
  ) -> [Argument] {
    var arguments: [Argument] = []
    for type in repeat each types {
      let index = arguments.count
      arguments.append(Argument(index < names.count ? names[index] : "", type.busType))
    }
    precondition(
      names.count <= arguments.count,
      "There are \(names.count) names for \(arguments.count) arguments. Name each argument once.")
    return arguments
  }

  // MARK: - Properties

  /// Adds a property that clients can read. With `set`, they can also write it.
  ///
  /// *Events*: changes are announced once a turn of the loop, before the next reply or signal of the
  /// object. An error that `set` throws is the reply to the writer.
  public mutating func property<Value: BusValue>(
    _ name: String, _ property: ReadOnlyProperty<Value>, changes: Changes = .withValue,
    set: ((Value) throws(BusError) -> Void)? = nil
  ) {
    check(name, isNew: !properties.contains { $0.name == name })
    var write: ((BusReader) throws(BusError) -> Void)?
    if let set { write = { reader throws(BusError) in try set(try Value(from: reader)) } }
    let member = Member(
      type: Value.busType, changes: changes,
      read: { () throws(BusError) in try Variant.Content(writing: property.value) },
      write: write,
      observe: { changed in
        property.stream.observeNext { value in
          changed { () throws(BusError) in try Variant.Content(writing: value) }
        }
      })
    properties.append((name, member))
  }

  /// Adds a property that clients can read and write.
  public mutating func writableProperty<Value: BusValue>(
    _ name: String, _ property: Property<Value>, changes: Changes = .withValue
  ) {
    self.property(name, property.readOnly, changes: changes) { property.value = $0 }
  }

  /// Adds a property that does not change.
  public mutating func constant<Value: BusValue>(_ name: String, _ value: Value) {
    property(name, ReadOnlyProperty(constant: value), changes: .never)
  }
}
