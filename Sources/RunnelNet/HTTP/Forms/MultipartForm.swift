import Glibc
import RunnelLoop
import RunnelStreams

/// The limits of a form with several parts. All of them are on by default.
public struct MultipartLimits: Hashable, Sendable {
  /// The largest number of bytes of the whole body. The default is 64 MiB. A server refuses a body
  /// beyond ``HTTPLimits/body`` before, which is 1 MiB by default.
  public var total = 64 << 20
  /// The largest number of parts. The default is 100.
  public var parts = 100
  /// The largest number of bytes of the header fields of one part. The default is 8 KiB.
  public var headers = 8 << 10
  /// The largest number of bytes of a part that are kept in memory. A larger part is written to a
  /// temporary file. The default is 64 KiB.
  public var memory = 64 << 10
  /// The folder of temporary files; nil is that of the environment variable `TMPDIR`, or `/tmp`.
  public var folder: String?

  /// Creates the default limits.
  public init() {}
}

/// A form with several parts, some of which may be files: `multipart/form-data`.
///
///     server.post("/photos") { request in
///       request.multipart().map { form in
///         guard let photo = form["photo"] else { throw HTTPError(.badRequest, "No photo.") }
///         try photo.save(to: "photo.jpg")
///         return form.text("title") ?? "Untitled"
///       }
///     }
public struct MultipartForm {
  /// The parts in their order.
  public let parts: [MultipartPart]

  /// The first part with a name.
  public subscript(name: String) -> MultipartPart? { parts.first { $0.name == name } }

  /// All parts with a name.
  public func parts(named name: String) -> [MultipartPart] { parts.filter { $0.name == name } }

  /// Returns the text of the first part with a name; nil if there is none, if it is in a file, or if
  /// it is not UTF-8.
  public func text(_ name: String) -> String? { self[name]?.text }
}

/// A part of a form. A part in a temporary file is removed from the disk when all its copies, and
/// the bodies made of them, are released.
public struct MultipartPart {
  let head: MultipartHead
  /// The bytes of the part, which can be read any number of times. Those of a file are read on the
  /// loop.
  public let body: HTTPBody

  /// The name of the field.
  public var name: String { head.name }

  /// The last component of the name of the file, without control characters. Nil if the part is no
  /// file, if no file was chosen, or if nothing of the name is left.
  ///
  /// The client chooses it: it may begin with a dot, and another file may have it.
  public var fileName: String? {
    guard let name = head.fileName else { return nil }
    let last =
      name.unicodeScalars.split {
        $0 == "/" || $0 == "\\"
      }.last ?? []
    var kept = String.UnicodeScalarView()
    for scalar in last where scalar.properties.generalCategory != .control {
      kept.append(scalar)
    }
    let text = String(kept)
    return text.isEmpty || text == "." || text == ".." ? nil : text
  }

  /// True if the part is a file, also if it has no name.
  public var isFile: Bool { head.fileName != nil }

  /// The header fields of the part.
  public var headers: HTTPHeaders { head.headers }

  /// The type of the part; nil if the header fields do not say it.
  public var contentType: MediaType? { head.headers.contentType }

  /// The number of bytes.
  public var count: Int { body.count ?? 0 }

  /// The bytes, if they are in memory; nil if they are in a temporary file.
  public var bytes: [UInt8]? {
    switch body.content {
    case .none: []
    case .bytes(let bytes): bytes
    case .stream, .file: nil
    }
  }

  /// The text, if the bytes are in memory and in UTF-8.
  public var text: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }

  /// Writes the bytes to a new file. The loop waits for the disk.
  ///
  /// Throws a `DescriptorError` if the file exists or cannot be written; then nothing is left. A path
  /// with a zero byte cannot be written, because the system would understand a shorter one.
  public func save(to path: String) throws(DescriptorError) {
    if path.utf8.contains(0) { throw .system(EINVAL) }
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if number < 0 { throw DescriptorError(errno, number) }
    let file = TemporaryFile(owning: Descriptor(owning: number))
    do throws(DescriptorError) {
      switch body.content {
      case .bytes(let bytes): try file.append(bytes)
      case .file(let part): try file.append(part)
      case .none, .stream: break
      }
    } catch {
      unlink(path)
      throw error
    }
  }
}

/// A reason why a form with several parts is refused.
enum MultipartError: Error, Equatable {
  case malformed(String)
  case tooManyParts(limit: Int)
  case headTooLong(limit: Int)
}

extension MultipartError: HTTPReplyConvertible, CustomStringConvertible {
  func reply(to request: HTTPRequest) -> HTTPReply {
    let status: HTTPStatus =
      switch self {
      case .malformed: .badRequest
      case .tooManyParts, .headTooLong: .contentTooLarge
      }
    return HTTPError(status, description).reply(to: request)
  }

  var description: String {
    switch self {
    case .malformed(let reason): "The form is invalid: \(reason)."
    case .tooManyParts(let limit): "The form has more than \(limit) parts."
    case .headTooLong(let limit):
      "A part of the form has more than \(limit) bytes of header fields."
    }
  }
}
