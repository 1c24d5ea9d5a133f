import RunnelStreams

/// An operator that creates an inner stream from each element.
enum FlatteningOperator: CaseIterable {
  case flatMap
  /// `flatMap(maxConcurrent: 2)`.
  case flatMapMaxConcurrent
  case concatMap
  case flatMapFirst
  case flatMapLatest

  /// The operators that call their closure even while an inner stream is running.
  static let selectingAlways = allCases.filter { $0 != .flatMapFirst }

  /// True if inner streams wait for the completion of others.
  var queuesInnerStreams: Bool {
    switch self {
    case .flatMapMaxConcurrent, .concatMap: true
    case .flatMap, .flatMapFirst, .flatMapLatest: false
    }
  }
}

extension StreamProtocol {
  func flattened<Output>(
    by operation: FlatteningOperator,
    _ select: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    switch operation {
    case .flatMap: flatMap(select)
    case .flatMapMaxConcurrent: flatMap(maxConcurrent: 2, select)
    case .concatMap: concatMap(select)
    case .flatMapFirst: flatMapFirst(select)
    case .flatMapLatest: flatMapLatest(select)
    }
  }

  /// Applies the form of the operator that takes a weak object.
  func flattened<Object: AnyObject, Output>(
    by operation: FlatteningOperator, weak object: Object,
    _ select: @escaping (Object, Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    switch operation {
    case .flatMap: flatMap(weak: object, select)
    case .flatMapMaxConcurrent: flatMap(maxConcurrent: 2, weak: object, select)
    case .concatMap: concatMap(weak: object, select)
    case .flatMapFirst: flatMapFirst(weak: object, select)
    case .flatMapLatest: flatMapLatest(weak: object, select)
    }
  }
}

extension Timeline {
  /// Applies the reference of the operator.
  func flattened(by operation: FlatteningOperator, _ select: (Int) -> Reference) -> Timeline {
    switch operation {
    case .flatMap: flatMapped(maxConcurrent: .max, select)
    case .flatMapMaxConcurrent: flatMapped(maxConcurrent: 2, select)
    case .concatMap: flatMapped(maxConcurrent: 1, select)
    case .flatMapFirst: flatMappedToFirst(select)
    case .flatMapLatest: flatMappedToLatest(select)
    }
  }
}
