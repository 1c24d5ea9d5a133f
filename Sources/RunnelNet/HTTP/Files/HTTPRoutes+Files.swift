import Glibc
import RunnelLoop

/// The settings of files that a server sends.
public struct HTTPFileOptions: Sendable {
  /// The name of the file that is sent for a folder; nil is none. The default is `index.html`.
  public var index: String? = "index.html"
  /// The value of `Cache-Control`, such as `public, max-age=3600`. By default there is none, and
  /// clients ask again after a time of their choice.
  public var cacheControl: String?
  /// True if names that begin with a dot are served. By default they are hidden, except the folder
  /// `.well-known` of RFC 8615.
  public var showsHiddenFiles = false
  /// Media types by extensions in small letters, which replace the usual ones.
  public var types: [String: String] = [:]

  /// Creates the default options.
  public init() {}
}

extension HTTPRoutes {
  /// Adds a route for the files of a folder, with GET and HEAD.
  ///
  ///     server.files("/", in: "Public")
  ///     server.get("/api/version") { _ in "1.2" }
  ///
  /// Other routes win over the files. A relative folder is looked up in the working directory of this
  /// call.
  ///
  /// - Only regular files inside of the folder are sent. A link that leads out of it is not found,
  ///   also while the folder changes. Where the system has no `openat2` (Linux before 5.6), no link
  ///   is followed.
  /// - A folder without a slash at its end is redirected, and the index of a folder is sent. There
  ///   are no listings.
  /// - The folder stays open. Another folder at its path is noticed within a second.
  /// - Responses have `ETag` and `Last-Modified`, and requests may have conditions and one range of
  ///   bytes. Several ranges are answered with the whole file, unless they form one.
  /// - Files of more than 16 KiB are sent by the system (`sendfile`) without being copied into this
  ///   process. A file
  ///   that becomes shorter while it is sent ends the connection.
  ///
  /// Files are opened on the loop, which waits for the disk or the network that they are on.
  public func files(
    _ path: String, in folder: String, options: HTTPFileOptions = HTTPFileOptions(),
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let site = FileSite(FileTree(path: absolutePath(of: folder)), options)
    let route = (path.utf8.last == UInt8(ascii: "/") ? path : path + "/") + "*path"
    get(route, file: file, line: line) { request in
      try site.response(to: request, request["path"])
    }
  }
}

private func absolutePath(of path: String) -> String {
  if path.utf8.first == UInt8(ascii: "/") { return path }
  guard let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  return String(cString: directory) + "/" + path
}

/// The files of a folder as responses.
struct FileSite {
  private let tree: FileTree
  private let options: HTTPFileOptions
  /// The seconds since 1970.
  private let now: () -> Int

  init(_ tree: FileTree, _ options: HTTPFileOptions, now: @escaping () -> Int = { time(nil) }) {
    self.tree = tree
    self.options = options
    self.now = now
  }

  /// Returns the response to a request for a path below the folder, as it was sent.
  func response(to request: HTTPRequest, _ rest: String) throws -> HTTPResponse {
    guard var names = names(in: rest) else { throw HTTPError(.notFound) }
    let asksForFolder = request.path.utf8.last == UInt8(ascii: "/")
    if asksForFolder {
      guard let index = options.index else { throw HTTPError(.notFound) }
      names.append(Array(index.utf8))
    }
    guard let entry = try entry(at: names) else { throw HTTPError(.notFound) }
    if entry.isRegular { return response(to: request, entry, named: names.last ?? []) }
    guard entry.isFolder, !asksForFolder else { throw HTTPError(.notFound) }
    let query = request.target[request.path.endIndex...]
    return .redirect(to: request.path + "/" + query, .movedPermanently)
  }

  private func entry(at names: [[UInt8]]) throws -> FileTree.Entry? {
    do throws(DescriptorError) {
      return try tree.open(names, in: now())
    } catch {
      if error == .system(EACCES) { throw HTTPError(.forbidden) }
      throw error
    }
  }

  /// Returns the decoded names of a path; nil if one of them cannot be served.
  private func names(in path: String) -> [[UInt8]]? {
    var segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // The slash at the end of a folder.
    if segments.last?.isEmpty == true { segments.removeLast() }
    var names: [[UInt8]] = []
    for segment in segments {
      guard let name = segment.percentDecoded, let first = name.first else { return nil }
      if name == Array(".".utf8) || name == Array("..".utf8) { return nil }
      for byte in name {
        switch byte {
        case 0, UInt8(ascii: "/"), UInt8(ascii: "\\"): return nil
        default: break
        }
      }
      let isHidden = first == UInt8(ascii: ".") && !options.showsHiddenFiles
      if isHidden && !(names.isEmpty && name == Array(".well-known".utf8)) { return nil }
      names.append(name)
    }
    return names
  }

  private func response(
    to request: HTTPRequest, _ entry: FileTree.Entry, named name: [UInt8]
  ) -> HTTPResponse {
    let validators = validators(of: entry.status)
    var headers: HTTPHeaders = [
      "ETag": validators.tag, "Last-Modified": "\(validators.date)", "Accept-Ranges": "bytes",
    ]
    if let cacheControl = options.cacheControl { headers.append("Cache-Control", cacheControl) }
    switch validators.evaluate(request) {
    case .proceed: break
    case .notModified: return HTTPResponse(.notModified, headers: headers)
    case .failed: return HTTPError(.preconditionFailed).response
    }
    headers.append(
      "Content-Type",
      ContentTypes.type(of: String(decoding: name, as: UTF8.self), options.types))
    // Otherwise a browser might run a text as a script.
    headers.append("X-Content-Type-Options", "nosniff")
    let size = Int(entry.status.st_size)
    switch range(of: request, validators, size: size) {
    case .whole:
      return HTTPResponse(headers: headers, body: HTTPBody(.file(FilePart(entry.file, 0..<size))))
    case .part(let range):
      headers.append("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
      return HTTPResponse(
        .partialContent, headers: headers, body: HTTPBody(.file(FilePart(entry.file, range))))
    case .unsatisfiable:
      return HTTPError(.rangeNotSatisfiable, headers: ["Content-Range": "bytes */\(size)"])
        .response
    }
  }

  private func range(of request: HTTPRequest, _ validators: Validators, size: Int) -> ByteRange {
    let values = request.headers.values(of: "Range")
    guard request.method == .get, values.count == 1, validators.allowRange(request.headers) else {
      return .whole
    }
    return ByteRange(values[0], size: size)
  }

  private func validators(of status: stat) -> Validators {
    let now = now()
    let modified = status.st_mtim
    let nanoseconds =
      UInt64(bitPattern: Int64(modified.tv_sec)) &* 1_000_000_000
      &+ UInt64(modified.tv_nsec)
    let parts = [nanoseconds, UInt64(status.st_size), UInt64(status.st_ino)]
    return Validators(
      tag: "\"" + parts.map { String($0, radix: 16) }.joined(separator: "-") + "\"",
      date: HTTPDate(seconds: min(modified.tv_sec, now)),
      // The file may have changed again in the same second.
      dateIsStrong: modified.tv_sec < now - 1)
  }
}
