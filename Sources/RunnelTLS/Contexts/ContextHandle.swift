import COpenSSL
import RunnelStreams

/// The settings of sessions as OpenSSL keeps them. A session retains its handle.
// Safety: the settings are complete before the handle is shared. OpenSSL locks what it changes in
// a context later.
final class ContextHandle: @unchecked Sendable {
  // Safety: made in the initializer, and freed in `deinit`.
  let pointer: OpaquePointer
  let handshakeTimeout: Duration?
  /// The application protocols in the form of the protocol: each after its length.
  private let protocols: [UInt8]
  /// The certificates of a server.
  private var identities: [LoadedIdentity] = []
  /// The sessions of a client that can be resumed.
  let sessions: SessionCache?

  private init(_ options: TLSOptions, isServer: Bool) throws(TLSError) {
    // Before the context is made, because a failed initializer frees nothing.
    protocols = try Self.encoded(options.applicationProtocols)
    ErrorQueue.clear()
    guard let pointer = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
      throw TLSError("OpenSSL", ErrorQueue.take()?.text ?? "no memory is left.")
    }
    self.pointer = pointer
    handshakeTimeout = options.handshakeTimeout
    // A resumed session has no answer of the authority.
    let resumes = options.resumesSessions && !options.requiresStapledResponse
    sessions = isServer || !resumes ? nil : SessionCache()
    let versions = (options.minimumVersion.number, options.maximumVersion.number)
    if versions.0 > versions.1 || runnel_tls_set_versions(pointer, versions.0, versions.1) != 1 {
      throw TLSError("the versions", "the minimum is above the maximum.")
    }
    runnel_tls_set_defaults(pointer)
    let store = SSL_CTX_get_cert_store(pointer)
    for source in options.revocationLists { try PEM.addRevocationLists(in: source, to: store) }
    if !options.revocationLists.isEmpty {
      X509_STORE_set_flags(store, UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL))
    }
  }

  /// The handle as the argument of a callback.
  // Safety: sessions retain both the context, which holds the pointer, and the handle.
  private var unretained: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  deinit {
    SSL_CTX_free(pointer)
  }

  // MARK: - Client

  static func client(
    _ identity: TLSIdentity?, _ verification: TLSVerification, _ roots: TLSRoots,
    _ options: TLSOptions
  ) throws(TLSError) -> ContextHandle {
    let handle = try ContextHandle(options, isServer: false)
    if let identity { try handle.use(LoadedIdentity(identity), of: identity) }
    if verification != .insecure {
      _ = try handle.trust(roots)
      if options.requiresStapledResponse { runnel_tls_require_staple(handle.pointer) }
    }
    runnel_tls_set_verify(
      handle.pointer, verification == .insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER)
    if !handle.protocols.isEmpty {
      SSL_CTX_set_alpn_protos(handle.pointer, handle.protocols, UInt32(handle.protocols.count))
    }
    if handle.sessions != nil {
      runnel_tls_set_cache_mode(
        handle.pointer, Int(SSL_SESS_CACHE_CLIENT) | Int(SSL_SESS_CACHE_NO_INTERNAL))
      SSL_CTX_sess_set_new_cb(handle.pointer, SessionCache.callback)
    }
    return handle
  }

  // MARK: - Server

  static func server(
    _ identities: [TLSIdentity], _ clients: TLSClientCertificates, _ options: TLSOptions
  ) throws(TLSError) -> ContextHandle {
    guard let first = identities.first else {
      throw TLSError("no certificate", "a server needs at least one.")
    }
    let handle = try ContextHandle(options, isServer: true)
    for identity in identities { handle.identities.append(try LoadedIdentity(identity)) }
    try handle.use(handle.identities[0], of: first)
    if !handle.protocols.isEmpty {
      SSL_CTX_set_alpn_select_cb(
        handle.pointer, { ContextHandle.select($1, $2, $3, $4, $5) }, handle.unretained)
    }
    // Without it, a client with a certificate cannot resume its session.
    SSL_CTX_set_session_id_context(handle.pointer, "runnel", 6)
    runnel_tls_set_name_callback(
      handle.pointer, { ContextHandle.choose($0, $2) }, handle.unretained)
    runnel_tls_set_staple_callback(
      handle.pointer, { ContextHandle.staple($0, $1) }, handle.unretained)
    if let roots = clients.roots {
      for certificate in try handle.trust(roots) {
        runnel_tls_add_client_names(handle.pointer, certificate.pointer)
      }
    }
    runnel_tls_set_verify(handle.pointer, clients.verifyMode)
    if !options.resumesSessions { runnel_tls_disable_resumption(handle.pointer) }
    return handle
  }

  /// Chooses the certificate for the name that a client has sent.
  private static func choose(
    _ session: OpaquePointer?, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let argument, let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name) else {
      return SSL_TLSEXT_ERR_NOACK
    }
    // Safety: see `unretained`.
    let handle = Unmanaged<ContextHandle>.fromOpaque(argument).takeUnretainedValue()
    let identity = handle.identity(for: String(cString: name).lowercased())
    guard let identity, identity !== handle.identities.first else { return SSL_TLSEXT_ERR_OK }
    return identity.use(for: session, or: nil) ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
  }

  /// Sends the answer of the authority for the certificate that was chosen.
  private static func staple(
    _ session: OpaquePointer?, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let argument else { return SSL_TLSEXT_ERR_NOACK }
    // Safety: see `unretained`.
    let handle = Unmanaged<ContextHandle>.fromOpaque(argument).takeUnretainedValue()
    let certificate = SSL_get_certificate(session)
    let identity = handle.identities.first { $0.certificate.pointer == certificate }
    return identity?.staple(to: session) ?? false ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK
  }

  private func identity(for name: String) -> LoadedIdentity? {
    if let exact = identities.first(where: { $0.names.contains(name) }) { return exact }
    guard let dot = name.firstIndex(of: ".") else { return nil }
    let wildcard = "*" + name[dot...]
    return identities.first { $0.names.contains(wildcard) }
  }

  /// Chooses the first application protocol of the server that the client offers.
  private static func select(
    _ output: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?,
    _ offeredCount: UInt32, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let argument else { return SSL_TLSEXT_ERR_NOACK }
    // Safety: see `unretained`. The result points into `offered`, because OpenSSL returns the
    // entry of the client's list, and OpenSSL copies it at once.
    let handle = Unmanaged<ContextHandle>.fromOpaque(argument).takeUnretainedValue()
    var chosen: UnsafeMutablePointer<UInt8>?
    let status = handle.protocols.withUnsafeBufferPointer { own in
      SSL_select_next_proto(
        &chosen, count, own.baseAddress, UInt32(own.count), offered, offeredCount)
    }
    guard status == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    output?.pointee = UnsafePointer(chosen)
    return SSL_TLSEXT_ERR_OK
  }

  // MARK: - Certificates

  private func use(_ loaded: LoadedIdentity, of identity: TLSIdentity) throws(TLSError) {
    ErrorQueue.clear()
    if loaded.use(for: nil, or: pointer) { return }
    let reason = ErrorQueue.take()?.text ?? "it was refused"
    throw TLSError(
      identity.certificate.name,
      "\(reason). The certificate of \(loaded.certificate.subject) needs a stronger key or hash.")
  }

  /// Trusts roots, and returns those that are not the system's.
  private func trust(_ roots: TLSRoots) throws(TLSError) -> [TLSCertificate] {
    if roots.includesSystem { SSL_CTX_set_default_verify_paths(pointer) }
    let store = SSL_CTX_get_cert_store(pointer)
    var certificates: [TLSCertificate] = []
    for source in roots.sources { certificates += try PEM.certificates(in: source) }
    for certificate in certificates { X509_STORE_add_cert(store, certificate.pointer) }
    // A given certificate is trusted even if another authority has signed it.
    X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    ErrorQueue.clear()
    return certificates
  }

  private static func encoded(_ protocols: [String]) throws(TLSError) -> [UInt8] {
    var bytes: [UInt8] = []
    for name in protocols {
      guard (1...255).contains(name.utf8.count) else {
        throw TLSError("the protocol \"\(name)\"", "a name has 1 to 255 bytes.")
      }
      bytes.append(UInt8(name.utf8.count))
      bytes += name.utf8
    }
    return bytes
  }
}
