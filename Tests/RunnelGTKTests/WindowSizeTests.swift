#if GTK
import CGTK
import Foundation
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct WindowSizeTests {
    @Test func windowHasTheSizeOfTheLastRun() throws {
      try Self.withStateFolder { _ in
        try Self.run {
          #expect($0.size == Size(width: 40, height: 12))
        } resizing: {
          Size(width: 50, height: 15)
        }
        try Self.run { #expect($0.size == Size(width: 50, height: 15)) }
      }
    }

    @Test(arguments: [
      "", "x", "50", "50 x", "-1 20", "9999999999999999999999 5", "3 1", "50 15 7",
      "50 15 maximized 3",
    ])
    func unusableSizesAreIgnored(_ text: String) throws {
      try Self.withStateFolder { folder in
        try Self.write(text, in: folder)
        try Self.run { #expect($0.size == Size(width: 40, height: 12)) }
      }
    }

    @Test func maximizedWindowKeepsItsFormerSize() throws {
      try Self.withStateFolder { folder in
        try Self.write("50 15 maximized", in: folder)
        for _ in 0..<2 {
          try Self.run { backend in
            #expect(backend.size == Size(width: 50, height: 15))
            #expect(
              backend.windows.first?.state == WindowState(size: backend.size, isMaximized: true))
          }
        }
        try Self.write("52 16", in: folder)
        try Self.run { backend in
          #expect(backend.windows.first?.state == WindowState(size: Size(width: 52, height: 16)))
        }
      }
    }

    @Test func sizeIsLimitedToTheMonitor() throws {
      try Self.withStateFolder { folder in
        try Self.write("1500 900", in: folder)
        try Self.run { backend in
          let size = backend.size
          #expect(size.width < 300 && size.width > 50 && size.height < 100 && size.height > 10)
        }
      }
    }

    private static func write(_ text: String, in folder: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/org.runnel.Tests", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/org.runnel.Tests/window-size"))
    }

    private static func run(
      _ check: (GTKBackend) -> Void, resizing size: () -> Size? = { nil }
    ) throws {
      _ = try #require(Display.shared)
      let backend = try GTKBackend(
        identifier: "org.runnel.Tests", size: Size(width: 40, height: 12), keepsSize: true)
      let application = Application(backend: backend)
      application.show(Window(title: "Size", content: Label("text")))
      backend.sync()
      check(backend)
      if let size = size() { backend.send(.resize(size)) }
      application.end()
    }

    private static func withStateFolder(_ body: (String) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())").path()
      setenv("XDG_STATE_HOME", folder, 1)
      defer {
        unsetenv("XDG_STATE_HOME")
        try? FileManager.default.removeItem(atPath: folder)
      }
      try body(folder)
    }
  }
}
#endif
