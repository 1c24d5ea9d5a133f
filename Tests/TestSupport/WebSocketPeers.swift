import Glibc

/// Peers of WebSockets that are written in Python, with the package `websockets`.
package enum WebSocketPeers {
  /// The messages that a client sends to a server that echoes them, with the server's answers checked.
  ///
  /// - Parameter compression: the argument of `connect`, such as `None` or `"deflate"`.
  /// - Returns: the close code, the subprotocol and the extensions, or an error of Python.
  package static func client(at url: String, compression: String = "None") -> String {
    run(
      """
      import asyncio, os, random, websockets
      from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
      async def main():
        async with websockets.connect("\(url)", max_size=None, subprotocols=["b"], \
      \(arguments(compression, "Client"))) as ws:
          random.seed(7)
          for text in ["", "a", "κόσμε" * 1000, "x" * 200000, "x" * 200000, "😀"]:
            await ws.send(text)
            assert await ws.recv() == text
          for count in [0, 1, 125, 126, 65535, 65536, 300000]:
            data = random.randbytes(count)
            await ws.send(data)
            assert await ws.recv() == data
          await ws.send(["a", "b", "", "c"])
          assert await ws.recv() == "abc"
          for index in range(200):
            await ws.send("message %d of many that look alike" % index)
          for index in range(200):
            assert await ws.recv() == "message %d of many that look alike" % index
          await (await ws.ping(b"x"))
          await ws.close(4001, "bye")
          print(ws.close_code, ws.subprotocol, [e.name for e in ws.extensions])
      asyncio.run(main())
      """)
  }

  /// The extensions of a peer: `"deflate"` and `None` as they are, or arguments of the factory.
  private static func arguments(_ compression: String, _ role: String) -> String {
    if compression == "None" || compression == "\"deflate\"" { return "compression=\(compression)" }
    return """
      compression=None, extensions=[\(role)PerMessageDeflateFactory(\(compression))]
      """
  }

  /// Runs a script, and returns what it prints. It ends after a minute at the latest.
  package static func run(_ script: String) -> String {
    let process = PythonProcess(script)
    return process.readAll()
  }

  /// Starts a server that echoes the messages of one client, and then prints how the socket was
  /// closed. The first line of its output is its port.
  package static func startServer(compression: String = "None") -> PythonProcess {
    PythonProcess(
      """
      import asyncio, websockets
      from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
      async def main():
        done = asyncio.get_running_loop().create_future()
        async def echo(ws):
          try:
            async for message in ws:
              await ws.send(message)
          except websockets.ConnectionClosed:
            pass
          done.set_result("%s %s %s" % (ws.close_code, ws.close_reason, [e.name for e in ws.extensions]))
        async with websockets.serve(echo, "127.0.0.1", 0, max_size=None, subprotocols=["b"], \
      \(arguments(compression, "Server"))) as server:
          print(server.sockets[0].getsockname()[1], flush=True)
          print(await done)
      asyncio.run(main())
      """)
  }
}

/// A script of Python that runs. It ends after a minute at the latest.
package final class PythonProcess {
  // Safety: opened by the initializer, closed by `readAll` or on release.
  private var output: UnsafeMutablePointer<FILE>?

  package init(_ script: String) {
    // The package belongs to the Python of the system, not to another one on the PATH.
    output = popen("PATH=/usr/bin:$PATH timeout 60 python3 - 2>&1 <<'END'\n\(script)\nEND", "re")
  }

  deinit {
    if let output { pclose(output) }
  }

  /// Reads one line, without its end.
  package func readLine() -> String {
    guard let output else { return "" }
    var bytes: [UInt8] = []
    while true {
      let byte = fgetc(output)
      if byte < 0 || byte == 10 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(UInt8(byte))
    }
  }

  /// Reads to the end of the script, without the last line ending.
  package func readAll() -> String {
    var lines: [String] = []
    guard let output else { return "" }
    while feof(output) == 0 { lines.append(readLine()) }
    pclose(output)
    self.output = nil
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
