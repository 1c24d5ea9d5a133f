import RunnelJSON

/// Decodes a text as any value. Traps if what is written from the value reads as another one.
func fuzzJSON(_ input: [UInt8]) {
  guard let value = try? JSON.decode(JSONValue.self, from: input) else { return }
  let written = JSONWriter.bytes { $0.write(value) }
  guard let read = try? JSON.decode(JSONValue.self, from: written) else {
    fatalError("What was written cannot be read.")
  }
  precondition(read == value)
  guard let encoded = try? JSON.encode(value) else { fatalError("The value cannot be encoded.") }
  precondition(encoded == written)
  // Most texts have another form than this type.
  _ = try? JSON.decode([String: [Int?]].self, from: input)
}
