import COpenSSL
import RunnelStreams

/// The sessions of a client that can be resumed, by server.
///
/// A session of TLS 1.3 is used once, as RFC 8446 demands against tracking; a server sends new ones.
final class SessionCache: Sendable {
  // Safety: a session is owned by the entry that holds it, and taken out under the lock.
  private struct Entries: @unchecked Sendable {
    var sessions: [String: [OpaquePointer]] = [:]
    /// The servers, the oldest first.
    var order: [String] = []
  }

  private let entries = Monitor(Entries())
  private static let maximumServers = 256
  private static let maximumSessions = 4

  deinit {
    entries.withLock { entries in
      for session in entries.sessions.values.joined() { SSL_SESSION_free(session) }
      entries.sessions = [:]
    }
  }

  /// The caller frees the session.
  func take(for server: String) -> OpaquePointer? {
    entries.withLock { entries in
      while let session = entries.sessions[server]?.popLast() {
        if SSL_SESSION_is_resumable(session) == 1 {
          // A server of TLS 1.2 sends no new one.
          if SSL_SESSION_get_protocol_version(session) == TLS1_2_VERSION {
            SSL_SESSION_up_ref(session)
            entries.sessions[server]?.append(session)
          }
          return session
        }
        SSL_SESSION_free(session)
      }
      return nil
    }
  }

  /// Keeps a session, which the cache owns from now on.
  private func add(_ session: OpaquePointer, for server: String) {
    entries.withLock { entries in
      if entries.sessions[server] == nil {
        entries.order.append(server)
        if entries.order.count > Self.maximumServers {
          let oldest = entries.order.removeFirst()
          for session in entries.sessions.removeValue(forKey: oldest) ?? [] {
            SSL_SESSION_free(session)
          }
        }
      }
      var sessions = entries.sessions[server] ?? []
      if sessions.count == Self.maximumSessions { SSL_SESSION_free(sessions.removeFirst()) }
      sessions.append(session)
      entries.sessions[server] = sessions
    }
  }

  /// Keeps the session that a server has sent. Returns 1 to take over its reference.
  static let callback: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = {
    session, resumable in
    // Safety: the owner is the slot of the engine, which outlives its session.
    guard let resumable, let owner = runnel_tls_memory_of(session).pointee.owner else { return 0 }
    let slot = Unmanaged<SessionSlot>.fromOpaque(owner).takeUnretainedValue()
    slot.cache.add(resumable, for: slot.server)
    return 1
  }
}

/// The place of a connection's session in a cache.
final class SessionSlot {
  let cache: SessionCache
  let server: String

  init(_ cache: SessionCache, server: String) {
    self.cache = cache
    self.server = server
  }
}
