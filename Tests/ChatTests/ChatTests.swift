import Glibc
import RunnelLoop
import TestSupport
import Testing

/// The sample as real processes, which talk to each other and to netcat.
@Suite struct ChatTests {
  /// The path of the program. It has the name of the product, or of the target if only the targets
  /// of some tests are built.
  private static let program: String = {
    let path = "\(Fixture.folder)/chat"
    return access(path, X_OK) == 0 ? path : "\(Fixture.folder)/Chat"
  }()

  /// Runs a server, and a body with its endpoint in the form of the command line.
  private func withServer(
    at endpoint: String, _ options: String...,
    body: @escaping @Sendable (Fixture, String) -> Void
  ) async {
    await withProcess([Self.program, "serve", endpoint] + options) { server in
      guard let line = server.readLine(), line.hasPrefix("Listening at ") else {
        Issue.record("The server does not listen.")
        return
      }
      body(server, String(line.dropFirst("Listening at ".count)))
    }
  }

  private func withMember(_ command: String..., body: (Fixture) -> Void) {
    withProcessHere(command, body)
  }

  @Test("Members see each other's names, lines and ends", arguments: ["127.0.0.1:0", "unix"])
  func membersTalk(_ place: String) async {
    let folder = TemporaryFolder()
    await withServer(at: place == "unix" ? folder["chat.sock"] : place) { server, endpoint in
      withMember(Self.program, "join", endpoint, "Ann") { ann in
        #expect(ann.readLine() == "* Ann has joined")
        withMember(Self.program, "join", endpoint, "Bob") { bob in
          #expect(bob.readLine() == "* Bob has joined")
          #expect(ann.readLine() == "* Bob has joined")
          bob.write("hello\u{1b}[2J")
          #expect(ann.readLine() == "Bob: hello[2J")
          #expect(bob.readLine() == "Bob: hello[2J")
          bob.send(.terminate)
          #expect(bob.remainingLines() == [])
          #expect(bob.wait() == .exit(0))
        }
        #expect(ann.readLine() == "* Bob has left")
        server.send(.terminate)
        #expect(ann.remainingLines() == [])
        #expect(ann.wait() == .exit(0))
        #expect(server.wait() == .exit(0))
      }
    }
  }

  @Test("Members join over TLS; a client without it is closed, and the server goes on")
  func membersTalkOverTLS() async {
    let folder = TemporaryFolder()
    let (chain, key) = (folder["chain.pem"], folder["key.pem"])
    let make =
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout \(key) \
      -out \(chain) -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 2>/dev/null
      """
    await withProcess(["/bin/sh", "-c", make], environment: ["PATH": "/usr/bin"]) {
      #expect($0.wait() == .exit(0))
    }
    await withServer(at: "127.0.0.1:0", "--tls", chain, key) { server, endpoint in
      let port = endpoint.split(separator: ":").last.map(String.init) ?? ""
      withMember("/bin/sh", "-c", "echo Plain | exec nc -N 127.0.0.1 \(port)") { plain in
        #expect(!plain.remainingLines().contains { $0.contains("joined") })
      }
      withMember(Self.program, "join", endpoint, "Ann", "--tls", chain) { ann in
        #expect(ann.readLine() == "* Ann has joined")
        // Longer than the header of a TLS record, so that the server need not wait for more.
        withMember(Self.program, "join", endpoint, "Eveline") { eve in
          #expect(!eve.remainingLines().contains { $0.contains("joined") })
        }
        ann.write("hello\n")
        #expect(ann.readLine() == "Ann: hello")
      }
    }
  }

  @Test func netcatIsAMember() async {
    await withServer(at: "127.0.0.1:0") { server, endpoint in
      withMember(Self.program, "join", endpoint, "Ann") { ann in
        #expect(ann.readLine() == "* Ann has joined")
        let port = endpoint.split(separator: ":").last.map(String.init) ?? ""
        withMember("/bin/sh", "-c", "printf 'Bob\\nhello' | exec nc -N 127.0.0.1 \(port)") { bob in
          #expect(bob.remainingLines() == ["* Bob has joined", "Bob: hello", "* Bob has left"])
        }
        #expect(ann.readLine() == "* Bob has joined")
        #expect(ann.readLine() == "Bob: hello")
        #expect(ann.readLine() == "* Bob has left")
      }
    }
  }

  @Test("A member that does not read is dropped, and the others go on")
  func slowReaderIsDropped() async {
    await withServer(at: "127.0.0.1:0") { server, endpoint in
      let port = endpoint.split(separator: ":").last.map(String.init) ?? ""
      withMember(Self.program, "join", endpoint, "Ann") { ann in
        #expect(ann.readLine() == "* Ann has joined")
        // A shell that joins and then stops reading.
        let joins =
          "exec 3<>/dev/tcp/127.0.0.1/\(port); echo Slow >&3; read line <&3; echo \"$line\"; cat"
        withMember("/bin/bash", "-c", joins) { slow in
          #expect(slow.readLine() == "* Slow has joined")
          #expect(ann.readLine() == "* Slow has joined")
          let line = String(repeating: "x", count: 900)
          var isDropped = false
          for _ in 0..<100_000 where !isDropped {
            ann.write(line)
            guard let answer = ann.readLine() else { break }
            isDropped = answer.hasPrefix("* Slow was dropped: more than 262144 bytes")
          }
          #expect(isDropped)
        }
      }
    }
  }

  @Test func faultsAreExplained() async {
    let folder = TemporaryFolder()
    await withProcess([Self.program, "join", folder["none"], "Ann"]) { ann in
      let lines = ann.remainingLines()
      #expect(lines.count == 1 && lines[0].contains("there is no socket with this path"))
      #expect(ann.wait() == .exit(1))
    }
    await withProcess([Self.program, "join"]) { ann in
      let lines = ann.remainingLines()
      #expect(lines.count == 1 && lines[0].hasPrefix("Usage: chat serve [ENDPOINT]"))
      #expect(ann.wait() == .exit(2))
    }
    await withServer(at: folder["chat.sock"]) { _, endpoint in
      withMember(Self.program, "serve", endpoint) { second in
        let lines = second.remainingLines()
        #expect(lines.count == 1 && lines[0].contains("another program listens there"))
        #expect(second.wait() == .exit(1))
      }
    }
  }
}
