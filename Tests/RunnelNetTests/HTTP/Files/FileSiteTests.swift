import Glibc
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelNet

/// A folder with files, links and other things, and a second folder that must not be reached.
private final class Site {
  let folder = TemporaryFolder()

  init() {
    for name in ["root", "root/sub", "root/empty", "root/.hidden", "root/.well-known", "out"] {
      folder.makeFolder(name)
    }
    for name in [
      "root/index.html", "root/a.txt", "root/a b.css", "root/é", "root/%2e", "root/a;b",
      "root/sub/index.html", "root/sub/c.js", "root/.secret", "root/.hidden/x",
      "root/sub/.htaccess",
      "root/.well-known/acme", "out/secret.txt", "root/x.tar.gz", "root/noext", "root/x.custom",
      "root/..a", "root/a..b", "root/back\\slash",
    ] { folder.write(name, name) }
    link("root/in.txt", to: "a.txt")
    link("root/sub/up.txt", to: "../a.txt")
    link("root/folder", to: "sub")
    link("root/out.txt", to: "../out/secret.txt")
    link("root/absolute.txt", to: folder["out/secret.txt"])
    link("root/escape", to: "../out")
    link("root/inside", to: folder["root/a.txt"])
    link("root/loop", to: "loop")
    link("root/dangling", to: "nothing")
    link("root/self", to: "/proc/self/root")
    link("link", to: "root")
    mkfifo(folder["root/pipe"], 0o666)
    let status = symlink("/dev/zero", folder["root/zero"])
    precondition(status == 0)
  }

  func link(_ name: String, to target: String) {
    folder.check(symlink(target, folder[name]), "symlink")
  }

  func site(
    _ lookup: FileTree.Lookup = .system, root: String = "root",
    _ change: (inout HTTPFileOptions) -> Void = { _ in }
  ) -> FileSite {
    var options = HTTPFileOptions()
    change(&options)
    let tree = FileTree(path: folder[root])
    tree.lookup = lookup
    return FileSite(tree, options)
  }

  func get(_ path: String, _ site: FileSite) throws -> HTTPResponse {
    let request = HTTPRequest(.get, path)
    do {
      return try site.response(to: request, String(request.path.dropFirst()))
    } catch let error as HTTPError {
      return error.response
    }
  }
}

@Suite struct FileSiteTests {
  private let site = Site()

  @Test(arguments: [FileTree.Lookup.system, .steps])
  func onlyFilesInsideAreServed(_ lookup: FileTree.Lookup) throws {
    let files = site.site(lookup)
    let links = lookup == .system
    for (path, contents) in [
      ("/", "root/index.html"), ("/index.html", "root/index.html"), ("/a.txt", "root/a.txt"),
      ("/a%20b.css", "root/a b.css"), ("/%C3%A9", "root/é"), ("/%252e", "root/%2e"),
      ("/a;b", "root/a;b"), ("/a.txt?x=/../y", "root/a.txt"), ("/%61.txt", "root/a.txt"),
      ("/sub/", "root/sub/index.html"), ("/sub/c.js", "root/sub/c.js"),
      ("/.well-known/acme", "root/.well-known/acme"), ("/a..b", "root/a..b"),
      // Links inside of the folder.
      ("/in.txt", links ? "root/a.txt" : nil), ("/sub/up.txt", links ? "root/a.txt" : nil),
      ("/folder/c.js", links ? "root/sub/c.js" : nil),
      ("/folder/", links ? "root/sub/index.html" : nil),
      // Links that lead out.
      ("/out.txt", nil), ("/absolute.txt", nil), ("/escape/secret.txt", nil), ("/inside", nil),
      ("/loop", nil), ("/dangling", nil), ("/self/etc/passwd", nil), ("/zero", nil),
      // Traversal.
      ("/../out/secret.txt", nil), ("/sub/../a.txt", nil), ("/sub/../../out/secret.txt", nil),
      ("/%2e%2e/out/secret.txt", nil), ("/.%2e/out/secret.txt", nil),
      ("/%2e%2e%2fout%2fsecret.txt", nil), ("/..%2fout/secret.txt", nil),
      ("/..%5cout%5csecret.txt", nil), ("/..\\out\\secret.txt", nil),
      ("/%252e%252e/out/secret.txt", nil), ("/%c0%ae%c0%ae/out/secret.txt", nil),
      ("/./a.txt", nil), ("/%2e/a.txt", nil), ("//a.txt", nil), ("/sub//c.js", nil),
      ("/sub%2fc.js", nil), ("///etc/passwd", nil), ("//etc/passwd", nil), ("/%2fetc/passwd", nil),
      ("/" + site.folder["out/secret.txt"], nil), ("/back%5Cslash", nil),
      ("/a.txt%00", nil), ("/a.txt%00.html", nil), ("/%00", nil), ("/%", nil), ("/%zz", nil),
      ("/a.txt%", nil), ("/..", nil), ("/.", nil), ("/../", nil), ("/..a", nil),
      // Hidden files.
      ("/.secret", nil), ("/%2esecret", nil), ("/.hidden/x", nil), ("/sub/.htaccess", nil),
      ("/sub/.well-known/x", nil),
      // Other things.
      ("/pipe", nil), ("/empty/", nil), ("/a.txt/", nil), ("/a.txt/x", nil), ("/missing", nil),
      ("/.well-known/", nil), ("/A.TXT", nil),
      ("/" + String(repeating: "a", count: 300), nil),
      ("/" + repeatElement("a", count: 4_000).joined(separator: "/"), nil),
    ] as [(String, String?)] {
      let response = try site.get(path, files)
      #expect(response.status == (contents == nil ? 404 : 200), "\(path)")
      if let contents { #expect(text(of: response.body) == contents, "\(path)") }
    }
    #expect(openFiles(in: site.folder.path) == [site.folder["root"]])
  }

  @Test(arguments: [FileTree.Lookup.system, .steps])
  func foldersAreRedirectedToTheirSlash(_ lookup: FileTree.Lookup) throws {
    let files = site.site(lookup)
    for (path, location) in [
      ("/sub", "/sub/"), ("/sub?a=b", "/sub/?a=b"), ("/%73ub", "/%73ub/"), ("/empty", "/empty/"),
    ] {
      let response = try site.get(path, files)
      #expect(response.status == .movedPermanently)
      #expect(response.headers["Location"] == location)
    }
  }

  @Test("A change of a link to the folder is noticed in the next second")
  func linkToTheFolderMayChange() throws {
    var second = 1_000
    let files = FileSite(FileTree(path: site.folder["link"]), HTTPFileOptions()) { second }
    #expect(try text(of: site.get("/a.txt", files).body) == "root/a.txt")
    site.folder.delete("link")
    site.link("link", to: "out")
    #expect(try text(of: site.get("/a.txt", files).body) == "root/a.txt")
    second += 1
    #expect(try text(of: site.get("/secret.txt", files).body) == "out/secret.txt")
    site.folder.delete("link")
    second += 1
    #expect(throws: (any Error).self) { try site.get("/secret.txt", files) }
  }

  @Test func optionsChangeWhatIsServed() throws {
    let files = site.site {
      $0.index = nil
      $0.showsHiddenFiles = true
      $0.cacheControl = "max-age=60"
      $0.types = ["custom": "application/x-custom", "txt": "text/x"]
    }
    #expect(try site.get("/", files).status == 404)
    #expect(try site.get("/.secret", files).status == 200)
    #expect(try site.get("/..a", files).status == 200)
    #expect(try site.get("/..", files).status == 404)
    #expect(try site.get("/x.custom", files).headers["Content-Type"] == "application/x-custom")
    #expect(try site.get("/a.txt", files).headers["Content-Type"] == "text/x")
    #expect(try site.get("/a.txt", files).headers["Cache-Control"] == "max-age=60")
  }

  @Test(arguments: [
    ("/a.txt", "text/plain; charset=utf-8"), ("/", "text/html; charset=utf-8"),
    ("/x.tar.gz", "application/gzip"), ("/noext", "application/octet-stream"),
    ("/sub/c.js", "text/javascript; charset=utf-8"), ("/x.custom", "application/octet-stream"),
    ("/a%20b.css", "text/css; charset=utf-8"),
  ])
  func typeFollowsTheExtension(_ path: String, _ type: String) throws {
    let response = try site.get(path, site.site())
    #expect(response.headers["Content-Type"] == type)
    #expect(response.headers["X-Content-Type-Options"] == "nosniff")
  }

  @Test func tagChangesWithTheFile() throws {
    func tag(_ path: String) throws -> String? { try site.get(path, site.site()).headers["ETag"] }
    let first = try #require(try tag("/a.txt"))
    #expect(try tag("/a.txt") == first)
    #expect(try tag("/noext") != first)
    site.folder.write("root/b.txt", "root/a.txt")
    site.folder.move("root/b.txt", to: "root/a.txt")
    #expect(try tag("/a.txt") != first)
    let second = try tag("/a.txt")
    var times = [timespec(tv_sec: 5, tv_nsec: 1), timespec(tv_sec: 5, tv_nsec: 1)]
    utimensat(AT_FDCWD, site.folder["root/a.txt"], &times, 0)
    #expect(try tag("/a.txt") != second)
    #expect(
      try site.get("/a.txt", site.site()).headers["Last-Modified"]
        == "Thu, 01 Jan 1970 00:00:05 GMT")
    times[1].tv_sec = 9_000_000_000
    utimensat(AT_FDCWD, site.folder["root/a.txt"], &times, 0)
    let limited = FileSite(FileTree(path: site.folder["root"]), HTTPFileOptions()) { 86_400 }
    #expect(
      try site.get("/a.txt", limited).headers["Last-Modified"] == "Fri, 02 Jan 1970 00:00:00 GMT")
  }

  @Test func unreadableFileIsForbidden() throws {
    // The superuser may read everything.
    if geteuid() == 0 { return }
    chmod(site.folder["root/a.txt"], 0)
    #expect(try site.get("/a.txt", site.site()).status == .forbidden)
  }
}
