import RunnelLoop
import RunnelStreams

/// A value that is stored in a file of a folder and may be shared by several processes.
///
///     let files = FolderProperty("notes") { name, folder in try? folder.file(name).contents() }
///     let pins = FileProperty(
///       "pins", in: files,
///       read: { String(decoding: $0, as: UTF8.self) }, write: { Array($0.utf8) })
///     files.open()
///     pins.mutate { $0 += "Milk.txt\n" }
///     pins.current.observeNext { print($0) }
///
/// The file is read when the folder is read. Changes by other processes are applied at once. A
/// local change is applied to the current contents of the file, so that changes of others are kept.
/// The change is repeated until it is saved.
///
/// A link in the place of the file is followed if the value was read through it. If another link
/// replaces the file later, a change is not saved until the value was read again, and ``problem``
/// holds the error. A change before the first read follows any link.
///
/// The object belongs to the thread of the folder property.
public final class FileProperty<Value: Equatable & Sendable> {
  /// A change of the value. It may be called several times: with the local value, and with each
  /// value that other processes have written meanwhile.
  public typealias Change = @Sendable (inout Value) -> Void

  /// The value with all changes, saved or not.
  public var current: ReadOnlyProperty<Value> { property.readOnly }
  /// The error of the last read or save, or nil.
  public var problem: ReadOnlyProperty<FileError?> { lastProblem.readOnly }
  /// Sends the error of each failed read or save.
  public let failures = PushStream<FileError>()
  /// True when all changes are in the file.
  public var isSaved: Bool { changes.isEmpty }
  /// The bytes of the value, for a rescue; nil if all changes are saved.
  public var unsavedFile: UnsavedFile? {
    isSaved ? nil : UnsavedFile(name, bytes: write(property.value), problem: lastProblem.value)
  }

  private let name: FileName
  private let property: Property<Value>
  private let lastProblem = Property<FileError?>(nil)
  private let read: @Sendable ([UInt8]) -> Value
  private let write: @Sendable (Value) -> [UInt8]
  private let perform: Performing
  /// The changes that are not saved.
  private var changes: [Change] = []
  /// The link that the value was read through. Any link is followed before the first read.
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

  /// Creates the value of a file. A missing file is read as an empty one.
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

  /// Saves the changes that are not saved yet.
  public func save() {
    guard !isSaving, !changes.isEmpty else { return }
    isSaving = true
    let (name, link, changes, read, write) = (name, link, changes, read, write)
    let work: Work = { folder throws(FileError) in
      let bytes = try folder.file(name).update(upTo: Self.maximumSize, following: link) { bytes in
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
        // Saves the changes that were made meanwhile.
        save()
      case .failure(.unconfirmed(let path)):
        // The changes are in the file. Saving again would apply them twice.
        forget(changes)
        note(.unconfirmed(path))
        reload()
        save()
      case .failure(let error): note(error)
      }
    }
  }

  /// Reads the file again.
  public func reload() {
    let name = name
    let work: Work = { folder throws(FileError) in try Self.found(in: folder.file(name)) }
    perform(work) { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .success(let found):
        take(found)
        // Reading successfully does not resolve an error of saving.
        if isSaved { note(nil) }
      case .failure(let error): note(error)
      }
    }
  }

  /// The largest file in bytes that is read, so that a damaged file cannot fill the memory.
  private static var maximumSize: Int { 10_000_000 }

  private static func found(in file: SafeFile) throws(FileError) -> Found {
    let link = file.link
    do throws(FileError) {
      return Found(bytes: try file.contents(upTo: maximumSize).bytes, link: link)
    } catch {
      guard case .missing = error else { throw error }
      return Found(bytes: [], link: link)
    }
  }

  /// Removes the first changes, which are saved. Their captures are released last, because that may
  /// call `mutate` again.
  private func forget(_ saved: [Change]) {
    release(exchange(&changes, with: Array(changes.dropFirst(saved.count))))
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
