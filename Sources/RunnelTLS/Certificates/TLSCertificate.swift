import COpenSSL
import RunnelNet

/// A certificate of a peer.
public struct TLSCertificate: Sendable {
  // Safety: OpenSSL counts the references to a certificate with atomics, and nothing changes it.
  private final class Handle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
      self.pointer = pointer
    }

    deinit {
      X509_free(pointer)
    }
  }

  private let handle: Handle

  /// Takes over a reference to a certificate.
  init(owning pointer: OpaquePointer) {
    handle = Handle(pointer)
  }

  /// The pointer for OpenSSL, which must not outlive this value.
  var pointer: OpaquePointer { handle.pointer }

  /// The subject, such as `CN=example.org,O=Example`.
  public var subject: String { Self.text(X509_get_subject_name(pointer)) }

  /// The authority that has signed the certificate.
  public var issuer: String { Self.text(X509_get_issuer_name(pointer)) }

  /// The host names and IP addresses for which the certificate is valid.
  public var names: [String] {
    // Safety: the list is freed below, and each name is copied before.
    let names = runnel_alternative_names(pointer)
    defer { runnel_free_names(names) }
    return (0..<runnel_name_count(names)).compactMap { index in
      var bytes: UnsafePointer<UInt8>?
      var count: Int32 = 0
      let type = runnel_name_at(names, index, &bytes, &count)
      let name = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
      switch type {
      case GEN_DNS: return String(decoding: name, as: UTF8.self)
      case GEN_IPADD: return IPAddress(bytes: name).map { "\($0)" }
      default: return nil
      }
    }
  }

  /// The first and the last second of validity, in seconds since 1970.
  public var validity: ClosedRange<Int> {
    let first = Self.seconds(X509_get0_notBefore(pointer))
    return first...max(first, Self.seconds(X509_get0_notAfter(pointer)))
  }

  /// The encoded certificate.
  public var der: [UInt8] {
    let count = i2d_X509(pointer, nil)
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, used in
      // Safety: OpenSSL writes `count` bytes, as it has just reported.
      var end = buffer.baseAddress
      used = Int(max(0, i2d_X509(pointer, &end)))
    }
  }

  /// The certificate as text: base64 between a line that begins and a line that ends it.
  public var pem: String {
    Self.printed { PEM_write_bio_X509($0, pointer) > 0 }
  }

  // MARK: - Reading

  private static func text(_ name: OpaquePointer?) -> String {
    printed { runnel_print_name($0, name) >= 0 }
  }

  /// Returns the text that a function of OpenSSL prints.
  private static func printed(_ print: (OpaquePointer?) -> Bool) -> String {
    // Safety: the bytes are copied before the memory is freed.
    let memory = BIO_new(BIO_s_mem())
    defer { BIO_free(memory) }
    guard print(memory) else { return "" }
    var bytes: UnsafeMutablePointer<CChar>?
    let count = runnel_bio_contents(memory, &bytes)
    return String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: max(0, count)), as: UTF8.self)
  }

  // Safety: the time belongs to the certificate, and is read here only.
  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
    var days: Int32 = 0
    var seconds: Int32 = 0
    let epoch = ASN1_TIME_set(nil, 0)
    defer { ASN1_TIME_free(epoch) }
    guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
    return Int(days) * 86_400 + Int(seconds)
  }
}

extension TLSCertificate: Hashable, CustomStringConvertible {
  /// Returns true if both are the same certificate.
  public static func == (one: TLSCertificate, other: TLSCertificate) -> Bool {
    X509_cmp(one.pointer, other.pointer) == 0
  }

  /// Hashes the subject.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(X509_subject_name_hash(pointer))
  }

  /// The subject.
  public var description: String { subject }
}

extension IPAddress {
  /// Creates an address from its 4 or 16 bytes in network order; nil for another count.
  fileprivate init?(bytes: [UInt8]) {
    switch bytes.count {
    case 4: self.init(bytes[0], bytes[1], bytes[2], bytes[3])
    case 16:
      let groups = stride(from: 0, to: 16, by: 2).map { index in
        String(Int(bytes[index]) << 8 | Int(bytes[index + 1]), radix: 16)
      }
      self.init(groups.joined(separator: ":"))
    default: return nil
    }
  }
}
