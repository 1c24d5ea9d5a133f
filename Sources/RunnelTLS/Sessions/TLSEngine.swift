import COpenSSL
import RunnelLoop
import RunnelNet

/// A TLS session between bytes and ciphertext in memory. It calls nothing but OpenSSL.
///
/// Ciphertext is read from the input, and is written to the output. Both belong to the caller.
final class TLSEngine {
  enum Role {
    case client(host: String, verification: TLSVerification, slot: SessionSlot?)
    case server
  }

  enum Outcome {
    case count(Int)
    /// More ciphertext of the peer is needed.
    case needsInput
    /// The output is full.
    case needsRoom
    /// The peer has sent `close_notify`.
    case end
    case failed(SocketError.Cause)
  }

  // Safety: both are made in the initializer and freed in `deinit`. OpenSSL uses the memory as long
  // as the session exists.
  private let session: OpaquePointer
  private let memory: UnsafeMutablePointer<runnel_tls_memory>
  // The callbacks of OpenSSL use both.
  private let context: ContextHandle
  private let slot: SessionSlot?
  private let host: String?
  /// The error after which the session cannot be used.
  private var failure: SocketError.Cause?

  // Safety: OpenSSL only reads a method, and never frees it.
  nonisolated(unsafe) private static let method = runnel_bio_method()

  /// True after an error, of which an alert may have told the peer.
  var hasFailed: Bool { failure != nil }

  /// The room that the output needs so that a record always fits.
  private static let recordRoom = (1 << 14) + 512

  /// Returns nil if there is no memory left, or if the host is not a valid name.
  init?(_ context: ContextHandle, _ role: Role) {
    ErrorQueue.clear()
    memory = .allocate(capacity: 1)
    memory.initialize(to: runnel_tls_memory())
    guard let session = runnel_tls_new(context.pointer, Self.method, memory) else {
      memory.deallocate()
      return nil
    }
    self.session = session
    self.context = context
    switch role {
    case .server:
      (slot, host) = (nil, nil)
      SSL_set_accept_state(session)
    case .client(let host, let verification, let slot):
      (self.slot, self.host) = (slot, host)
      SSL_set_connect_state(session)
      guard setHost(host, verification) else { return nil }
      if let slot { resume(slot) }
    }
  }

  deinit {
    // Otherwise OpenSSL would mark the session as one that cannot be resumed.
    if failure == nil { SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
    SSL_free(session)
    X509_free(memory.pointee.rejected)
    memory.deallocate()
    ErrorQueue.clear()
  }

  private func setHost(_ host: String, _ verification: TLSVerification) -> Bool {
    let parameters = SSL_get0_param(session)
    if let address = IPAddress(host) {
      // A zone is of this machine only.
      let text = "\(address)".prefix { $0 != "%" }
      return verification != .full
        || X509_VERIFY_PARAM_set1_ip_asc(parameters, String(text)) == 1
    }
    // A final dot means that the name is complete, and is not part of certificates.
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    guard !name.isEmpty, !name.utf8.contains(0), runnel_tls_set_name(session, name) == 1 else {
      return false
    }
    guard verification == .full else { return true }
    X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    return X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1
  }

  private func resume(_ slot: SessionSlot) {
    // Safety: this object retains the slot longer than the session.
    memory.pointee.owner = Unmanaged.passUnretained(slot).toOpaque()
    guard let earlier = slot.cache.take(for: slot.server) else { return }
    SSL_set_session(session, earlier)
    SSL_SESSION_free(earlier)
  }

  // MARK: - Input and output

  /// The ciphertext that is not read. The caller keeps it valid until it is set to `noBytes`.
  var input: UnsafeRawBufferPointer {
    get {
      UnsafeRawBufferPointer(start: memory.pointee.input, count: memory.pointee.input_count)
    }
    set {
      memory.pointee.input = newValue.baseAddress?.assumingMemoryBound(to: UInt8.self)
      memory.pointee.input_count = newValue.count
    }
  }

  /// Runs a closure with a buffer for output. Returns the number of bytes that it has produced.
  func withOutput(_ buffer: UnsafeMutableRawBufferPointer, _ body: () -> Void) -> Int {
    memory.pointee.output = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    memory.pointee.output_capacity = buffer.count
    memory.pointee.output_count = 0
    body()
    let count = memory.pointee.output_count
    memory.pointee.output = nil
    memory.pointee.output_capacity = 0
    memory.pointee.output_count = 0
    return count
  }

  // MARK: - Steps

  /// A count means that the handshake is complete.
  func handshake() -> Outcome {
    if let failure { return .failed(failure) }
    ErrorQueue.clear()
    let status = SSL_do_handshake(session)
    return status == 1 ? .count(0) : outcome(of: status)
  }

  /// Decrypts bytes until the buffer is full or the input is used up.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    if let failure { return .failed(failure) }
    ErrorQueue.clear()
    var total = 0
    while total < buffer.count {
      var count = 0
      let status = SSL_read_ex(
        session, buffer.baseAddress.map { $0 + total }, buffer.count - total, &count)
      if status == 1 {
        total += count
      } else {
        let outcome = outcome(of: status)
        return total > 0 ? .count(total) : outcome
      }
    }
    return .count(total)
  }

  /// Encrypts bytes until the output is full. Returns the number of bytes that are encrypted.
  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    if let failure { return .failed(failure) }
    ErrorQueue.clear()
    var total = 0
    while total < bytes.count, hasRoom {
      var count = 0
      let status = SSL_write_ex(
        session, bytes.baseAddress.map { $0 + total }, bytes.count - total, &count)
      if status == 1 {
        total += count
      } else {
        let outcome = outcome(of: status)
        return total > 0 ? .count(total) : outcome
      }
    }
    return .count(total)
  }

  private var hasRoom: Bool {
    memory.pointee.output_capacity - memory.pointee.output_count >= Self.recordRoom
  }

  /// Produces `close_notify`, unless it was sent or the session has failed.
  func finish() {
    guard failure == nil, SSL_is_init_finished(session) == 1 else { return }
    ErrorQueue.clear()
    if SSL_get_shutdown(session) & SSL_SENT_SHUTDOWN == 0 { SSL_shutdown(session) }
    ErrorQueue.clear()
  }

  /// True after the peer has sent `close_notify`.
  var peerHasFinished: Bool { SSL_get_shutdown(session) & SSL_RECEIVED_SHUTDOWN != 0 }

  private func outcome(of status: Int32) -> Outcome {
    switch SSL_get_error(session, status) {
    case SSL_ERROR_WANT_READ: return .needsInput
    case SSL_ERROR_WANT_WRITE: return .needsRoom
    case SSL_ERROR_ZERO_RETURN: return .end
    default:
      let rejected = memory.pointee.rejected.map { pointer in
        X509_up_ref(pointer)
        return TLSCertificate(owning: pointer)
      }
      let failure = TLSFailure(
        error: ErrorQueue.take(), verifyError: memory.pointee.verify_error, rejected: rejected,
        host: host, isServer: host == nil)
      let cause = SocketError.Cause.security(failure.text)
      self.failure = cause
      return .failed(cause)
    }
  }

  // MARK: - Result

  /// The result of the handshake.
  var result: TLSSession {
    // Safety: the names belong to the session, and are copied here.
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(session, &name, &count)
    let chosen = UnsafeBufferPointer(start: name, count: Int(count))
    return TLSSession(
      version: SSL_version(session) == TLS1_2_VERSION ? .tls12 : .tls13,
      cipher: String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(session))),
      applicationProtocol: count == 0 ? nil : String(decoding: chosen, as: UTF8.self),
      peerCertificate: SSL_get1_peer_certificate(session).map { TLSCertificate(owning: $0) },
      isResumed: SSL_session_reused(session) == 1,
      hostName: SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) })
  }
}
