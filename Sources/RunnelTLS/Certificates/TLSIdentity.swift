import COpenSSL

/// A certificate with its private key, by which a server or a client proves who it is.
///
///     let identity = TLSIdentity(certificate: "/etc/daemon/chain.pem", key: "/etc/daemon/key.pem")
///     show(identity.certificate)
public struct TLSIdentity: Hashable, Sendable {
  /// The certificate, followed by those of the authorities between it and a root.
  public var certificate: TLSSource
  /// The private key of the certificate.
  public var key: TLSSource
  /// The passphrase of an encrypted key.
  public var passphrase: String?
  /// The path of a file with the authority's answer that the certificate is not revoked, in DER form, as
  /// `openssl ocsp -respout` writes it. A server sends it to clients that ask (OCSP stapling). It is read
  /// again when a context reloads.
  public var stapledResponse: String?

  /// Creates an identity. `key` may be the same file as `certificate`.
  public init(
    certificate: TLSSource, key: TLSSource, passphrase: String? = nil,
    stapledResponse: String? = nil
  ) {
    self.certificate = certificate
    self.key = key
    self.passphrase = passphrase
    self.stapledResponse = stapledResponse
  }
}

/// The certificates and the key that were read from the sources of an identity.
// Safety: nothing changes them, and OpenSSL counts references with atomics.
final class LoadedIdentity: @unchecked Sendable {
  let certificate: TLSCertificate
  private let chain: [TLSCertificate]
  /// The names of the certificate in lowercase.
  let names: [String]
  // Safety: owned by this object, which frees it.
  private let key: OpaquePointer
  private let stapledResponse: [UInt8]

  init(_ identity: TLSIdentity) throws(TLSError) {
    let all = try PEM.certificates(in: identity.certificate)
    certificate = all[0]
    chain = Array(all.dropFirst())
    names = certificate.names.map { $0.lowercased() }
    stapledResponse =
      try identity.stapledResponse.map { (path) throws(TLSError) in
        let bytes = try TLSSource.file(path).read()
        if runnel_ocsp_is_response(bytes, bytes.count) == 1 { return bytes }
        ErrorQueue.clear()
        throw TLSError(
          path, "it is no successful answer of an authority in DER form. Fetch it again.")
      } ?? []
    key = try PEM.key(in: identity.key, passphrase: identity.passphrase)
    if X509_check_private_key(certificate.pointer, key) != 1 {
      ErrorQueue.clear()
      throw TLSError(
        identity.key.name,
        """
        the key does not belong to the certificate of \(certificate.subject). Use the key with \
        which the certificate was requested, and put that certificate first in its file.
        """)
    }
  }

  deinit {
    EVP_PKEY_free(key)
  }

  /// Uses the certificate for a session, or else for a context. Returns false if it is refused.
  func use(for session: OpaquePointer?, or context: OpaquePointer?) -> Bool {
    var chain = chain.map { Optional($0.pointer) }
    return runnel_tls_use(context, session, certificate.pointer, key, &chain, chain.count) == 1
  }
}

extension LoadedIdentity {
  /// Sends the answer of the authority in a handshake. Returns false if there is none.
  func staple(to session: OpaquePointer?) -> Bool {
    !stapledResponse.isEmpty
      && runnel_tls_staple(session, stapledResponse, stapledResponse.count) == 1
  }
}

/// Reads the PEM format.
enum PEM {
  /// Fails if there is no certificate.
  static func certificates(in source: TLSSource) throws(TLSError) -> [TLSCertificate] {
    let all = try all(in: source, "certificate") { memory in
      PEM_read_bio_X509(memory, nil, nil, nil).map { TLSCertificate(owning: $0) }
    }
    guard !all.isEmpty else {
      throw TLSError(
        source.name,
        "it contains no certificate. It must have a line \"-----BEGIN CERTIFICATE-----\".")
    }
    return all
  }

  /// Reads all lists of revoked certificates, and adds them to a store. Fails if there is none.
  static func addRevocationLists(in source: TLSSource, to store: OpaquePointer?) throws(TLSError) {
    let lists: [Void] = try all(in: source, "list") { memory in
      PEM_read_bio_X509_CRL(memory, nil, nil, nil).map { list in
        X509_STORE_add_crl(store, list)
        X509_CRL_free(list)
      }
    }
    if lists.isEmpty {
      throw TLSError(
        source.name,
        "it contains no list of revoked certificates: a line \"-----BEGIN X509 CRL-----\".")
    }
  }

  /// Reads parts of one kind until none is left.
  private static func all<Part>(
    in source: TLSSource, _ kind: String, _ next: (OpaquePointer?) -> Part?
  ) throws(TLSError) -> [Part] {
    ErrorQueue.clear()
    let all = try read(source) { memory in
      var all: [Part] = []
      while let part = next(memory) { all.append(part) }
      return all
    }
    let error = ErrorQueue.take()
    // The last read finds no beginning of a part.
    if let error, !error.isEndOfPEM {
      throw TLSError(source.name, "\(kind) \(all.count + 1) is damaged (\(error.text)).")
    }
    return all
  }

  /// The caller frees the key.
  static func key(in source: TLSSource, passphrase: String?) throws(TLSError) -> OpaquePointer {
    ErrorQueue.clear()
    var passphrase = Passphrase(text: passphrase)
    let key = try read(source) { memory in
      // Safety: OpenSSL uses the pointer during the call only.
      withUnsafeMutablePointer(to: &passphrase) { passphrase in
        PEM_read_bio_PrivateKey(
          memory, nil, { buffer, capacity, _, state in Passphrase.copy(state, buffer, capacity) },
          passphrase)
      }
    }
    let error = ErrorQueue.take()
    if let key { return key }
    let reason =
      if passphrase.wasAsked {
        passphrase.text == nil
          ? "the key is encrypted. Give its passphrase, or decrypt it with \"openssl pkey\"."
          : "the passphrase does not fit."
      } else if error.map({ $0.isEndOfPEM || $0.reason == ERR_R_UNSUPPORTED }) ?? true {
        "it contains no private key. It must have a line \"-----BEGIN PRIVATE KEY-----\"."
      } else {
        "the key cannot be read (\(error?.text ?? ""))."
      }
    throw TLSError(source.name, reason)
  }

  private static func read<Output>(
    _ source: TLSSource, _ body: (OpaquePointer?) -> Output
  ) throws(TLSError) -> Output {
    let bytes = try source.read()
    return bytes.withUnsafeBytes { bytes in
      // Safety: the BIO reads `bytes`, which outlive it.
      let memory = BIO_new_mem_buf(
        bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), Int32(bytes.count))
      defer { BIO_free(memory) }
      return body(memory)
    }
  }
}

/// The passphrase for a key, and whether the key needs one. Without it, OpenSSL would ask at the
/// terminal.
private struct Passphrase {
  let text: String?
  var wasAsked = false

  /// Copies the passphrase into a buffer of OpenSSL. Returns its length, or -1 without one.
  static func copy(
    _ pointer: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int32
  ) -> Int32 {
    // Safety: `PEM.key(in:passphrase:)` passes the pointer to a `Passphrase`.
    guard let state = pointer?.assumingMemoryBound(to: Passphrase.self), let buffer else {
      return -1
    }
    state.pointee.wasAsked = true
    guard let text = state.pointee.text?.utf8, text.count <= Int(capacity) else { return -1 }
    for (index, byte) in text.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    return Int32(text.count)
  }
}

extension ErrorQueue.Entry {
  fileprivate var isEndOfPEM: Bool { library == ERR_LIB_PEM && reason == PEM_R_NO_START_LINE }
}
