import RunnelLoop
import RunnelStreams

/// A value that is kept in a file of a folder, by several processes if need be.
///
///     let files = FolderProperty("notes") { name, folder in try? folder.file(name).contents() }
///     let pins = FileProperty(
///       "pins", in: files, read: { String(decoding: $0, as: UTF8.self) }, write: { Array($0.utf8) })
///     files.open()
///     pins.mutate { $0 += "Milk.txt\n" }
///     pins.current.observeNext { print($0) }
///
/// It is read as soon as the files are. What others write to the file is taken over at once. What is
/// changed here is changed in what is in the file then, so that the changes of others stay; and it is
/// kept until it could be saved.
///
/// A link in the place of the file is followed once the value was read through it. Until then a change is
/// not saved, and ``problem`` says so.
///
/// It belongs to the thread of the files.
public final class FileProperty<Value: Equatable & Sendable> {
  /// A change, which may be made more than once: to the value here, and to each that others have
  /// written meanwhile.
  public typealias Change = @Sendable (inout Value) -> Void

  /// The value with all changes, saved or not.
  public var current: ReadOnlyProperty<Value> { property.readOnly }
  /// Why the file could not be read or saved, when that was tried last.
  public var problem: ReadOnlyProperty<FileError?> { lastProblem.readOnly }
  /// Tells each time when the file could not be read or saved.
  public let failures = PushStream<FileError>()
  /// Whether all changes are in the file.
  public var isSaved: Bool { changes.isEmpty }
  /// What is to be in the file, if it is not all saved yet.
  public var unsavedFile: UnsavedFile? {
    isSaved ? nil : UnsavedFile(name, bytes: write(property.value), problem: lastProblem.value)
  }

  private let name: FileName
  private let property: Property<Value>
  private let lastProblem = Property<FileError?>(nil)
  private let read: @Sendable ([UInt8]) -> Value
  private let write: @Sendable (Value) -> [UInt8]
  private let perform: Performing
  /// What is not saved yet.
  private var changes: [Change] = []
  /// The link that the value was read through; any, as long as none was read.
  private var link = LinkRule.any
  private var isSaving = false
  private let bag = DisposeBag()

  private struct Found: Sendable {
    let bytes: [UInt8]
    let link: LinkRule
  }

  private typealias Work = @Sendable (Folder) throws(FileError) -> Found
  private typealias Performing = (
    @escaping Work, @escaping (Result<Found, FileError>) -> Void
  ) -> Void

  /// The value of a file of a folder. A file that is not there is read as one that is empty.
  public init<Item>(
    _ name: FileName, in files: FolderProperty<Item>,
    read: @escaping @Sendable ([UInt8]) -> Value, write: @escaping @Sendable (Value) -> [UInt8]
  ) {
    self.name = name
    self.read = read
    self.write = write
    property = Property(read([]))
    perform = { files.perform($0, then: $1) }
    files.readings.filter { $0 == name }
      .observeNext(weak: self) { file, _ in file.reload() }.disposed(by: bag)
  }

  /// Changes the value, and saves the change.
  public func mutate(_ change: @escaping Change) {
    changes.append(change)
    var value = property.value
    change(&value)
    show(value)
    save()
  }

  /// Tries again to save what could not be saved.
  public func save() {
    guard !isSaving, !changes.isEmpty else { return }
    isSaving = true
    let (name, link, changes, read, write) = (name, link, changes, read, write)
    let work: Work = { folder throws(FileError) in
      let bytes = try folder.file(name).update(upTo: Self.longest, following: link) { bytes in
        let old = read(bytes)
        var new = old
        for change in changes { change(&new) }
        return new == old ? bytes : write(new)
      }
      return Found(bytes: bytes, link: link)
    }
    perform(work) { [weak self] outcome in
      guard let self else { return }
      isSaving = false
      switch outcome {
      case .success(let found):
        forget(changes)
        take(found)
        note(nil)
        // What was changed meanwhile.
        save()
      case .failure(.unconfirmed(let path)):
        // It is in the file; to change that again would be to do it twice.
        forget(changes)
        note(.unconfirmed(path))
        reload()
        save()
      case .failure(let error): note(error)
      }
    }
  }

  /// Reads the file.
  public func reload() {
    let name = name
    let work: Work = { folder throws(FileError) in try Self.found(in: folder.file(name)) }
    perform(work) { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .success(let found):
        take(found)
        // Why it could not be saved is another matter.
        if isSaved { note(nil) }
      case .failure(let error): note(error)
      }
    }
  }

  /// A value that takes longer than this to tell is none: nobody reads a file that fills the memory.
  private static var longest: Int { 10_000_000 }

  private static func found(in file: SafeFile) throws(FileError) -> Found {
    let link = file.link
    do throws(FileError) {
      return Found(bytes: try file.contents(upTo: longest).bytes, link: link)
    } catch {
      guard case .missing = error else { throw error }
      return Found(bytes: [], link: link)
    }
  }

  /// Forgets the first changes, which are saved. What they captured is released when none of them is
  /// left here: it may come back with another change.
  private func forget(_ saved: [Change]) {
    let all = changes
    changes = Array(all.dropFirst(saved.count))
    withExtendedLifetime(all) {}
  }

  private func take(_ found: Found) {
    link = found.link
    var value = read(found.bytes)
    for change in changes { change(&value) }
    show(value)
  }

  private func note(_ error: FileError?) {
    if error != lastProblem.value { lastProblem.value = error }
    if let error { failures.next(error) }
  }

  private func show(_ value: Value) {
    if value != property.value { property.value = value }
  }
}
