import Glibc
import RunnelLoop
import RunnelStreams

/// Opens addresses and files with the applications that the user has chosen for them.
///
///     let opener = DesktopOpener(on: bus)
///     opener.open("https://swift.org").observe(failed: { error in show(error) })
///
/// It asks the portal of the desktop. Without one, or without a bus, it runs the program `xdg-open`.
public final class DesktopOpener {
  private let bus: BusConnection
  /// The program that opens addresses and files without a portal.
  var program = "xdg-open"

  /// Creates an opener. Nothing is sent.
  public init(on bus: BusConnection) {
    self.bus = bus
  }

  /// Opens an address with its application each time that the result is observed.
  ///
  /// *Events*: completes when the application was asked to open it. The user may be asked for the
  /// application first. Without a portal it completes when `xdg-open` ends, which can be at the end of the
  /// application.
  public func open(_ address: String) -> Completable<DesktopOpenError> {
    guard Self.isAddress(address) else { return .failed(.invalidAddress(address)) }
    return ask("OpenURI", orRunWith: address) { writer throws(BusError) in
      try address.write(to: writer)
    }
  }

  /// Opens a file or a folder with its application each time that the result is observed.
  ///
  /// *Events*: as for ``open(_:)``.
  public func openFile(_ path: String) -> Completable<DesktopOpenError> {
    .deferred { () throws(DesktopOpenError) in
      let number = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard number >= 0 else { throw .unreadableFile(path, code: errno) }
      let descriptor = BusDescriptor(owning: number)
      // A path must not look like an option.
      let argument = path.hasPrefix("-") ? "./\(path)" : path
      return self.ask("OpenFile", orRunWith: argument) { writer throws(BusError) in
        try descriptor.write(to: writer)
      }
    }
  }

  private static func isAddress(_ text: String) -> Bool {
    guard let end = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text.utf8[..<end]
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    return scheme.first.map(isLetter) == true
      && scheme.allSatisfy { byte in
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || "+-.".utf8.contains(byte)
      }
  }

  private func ask(
    _ name: String, orRunWith argument: String,
    writing: @escaping (BusWriter) throws(BusError) -> Void
  ) -> Completable<DesktopOpenError> {
    let answer = PortalRequest.answer(to: name, of: "OpenURI", on: bus) {
      writer throws(BusError) in
      // There is no window that a question could belong to.
      try "".write(to: writer)
      try writing(writer)
      try [String: Variant]().write(to: writer)
    }
    return answer.mapFailure(to: DesktopOpenError.self) { .portal($0) }
      .map { answer throws(DesktopOpenError) in
        if case .cancelled = answer { throw .cancelled }
      }
      .catch { failure in
        guard case .portal(let error) = failure, error.saysNoPortal else { return .failed(failure) }
        return self.run(argument)
      }
      .asCompletable()
  }

  private func run(_ argument: String) -> Single<Void, DesktopOpenError> {
    bus.loop.output(of: program, [argument])
      .mapFailure(to: DesktopOpenError.self) { .program($0) }
      .map { output throws(DesktopOpenError) in
        guard output.status.isSuccess else { throw .noApplication(output.status) }
      }
  }
}
