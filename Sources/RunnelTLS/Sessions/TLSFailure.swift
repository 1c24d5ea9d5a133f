import COpenSSL

/// The cause of a failed session, from which the text of an error is made.
struct TLSFailure {
  let error: ErrorQueue.Entry?
  /// The reason why a certificate was not accepted, as a value of `X509_V_ERR`; 0 if all were.
  let verifyError: Int
  let rejected: TLSCertificate?
  /// The host that a client wanted.
  let host: String?
  let isServer: Bool

  /// The reason and the remedy.
  var text: String {
    if verifyError != 0 { return verification }
    guard let error else { return "the session has failed. Connect again." }
    guard error.library == ERR_LIB_SSL else { return "\(error.text)." }
    if let alert = alertText(error.reason) { return alert }
    return reasonText(error)
  }

  // MARK: - Certificates

  private var verification: String {
    let certificate = "the certificate of \(rejected?.subject ?? "the peer")"
    let issuer = rejected?.issuer ?? "its authority"
    switch Int32(verifyError) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "\(certificate) has expired. The peer needs a new one, or the clock here is wrong."
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "\(certificate) is not valid yet. Check the clocks of both machines."
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      let names = rejected?.names ?? []
      let list = names.isEmpty ? "no name" : names.joined(separator: ", ")
      return """
        \(certificate) is valid for \(list), not for \(host ?? "this host"). Use a name from the \
        certificate, or a certificate with this name.
        """
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return "\(certificate) is self-signed. Add it to the roots if you trust it."
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return "\(certificate) is a root that is not known here. Add it to the roots if you trust it."
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return """
        \(certificate) is signed by the unknown authority \(issuer). Add its root to the roots; if \
        it is known, the peer must send the certificates between.
        """
    case X509_V_ERR_INVALID_PURPOSE:
      return "\(certificate) is not made for this use. It needs the right extended key usage."
    case X509_V_ERR_UNABLE_TO_GET_CRL:
      return """
        there is no list of revoked certificates of \(issuer), which has signed \(certificate). Add it \
        to the revocation lists.
        """
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return
        "the list of revoked certificates of \(issuer) is out of date. Fetch it again, and reload."
    case X509_V_ERR_OCSP_VERIFY_NEEDED:
      return
        "the peer has sent no answer that \(certificate) is not revoked, which is required here."
    case X509_V_ERR_OCSP_VERIFY_FAILED, X509_V_ERR_OCSP_CERT_UNKNOWN:
      return "the peer has sent no valid answer that \(certificate) is not revoked."
    case X509_V_ERR_CERT_REVOKED: return "\(certificate) was revoked by \(issuer)."
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
      return "\(certificate) has a key or hash that is too weak. The peer needs a stronger one."
    default:
      let reason = X509_verify_cert_error_string(verifyError).map { String(cString: $0) }
      return "\(certificate) was not accepted: \(reason ?? "error \(verifyError)")."
    }
  }

  // MARK: - Errors of the protocol

  private func reasonText(_ error: ErrorQueue.Entry) -> String {
    switch error.reason {
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST,
      SSL_R_PACKET_LENGTH_TOO_LONG, SSL_R_UNKNOWN_PROTOCOL, SSL_R_BAD_PACKET_LENGTH,
      SSL_R_UNEXPECTED_MESSAGE, SSL_R_BAD_RECORD_TYPE, SSL_R_RECORD_LENGTH_MISMATCH:
      return "the peer does not speak TLS here (\(error.text)). Check the port and the protocol."
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return "the client has sent no certificate, which this server requires."
    case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM,
      SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_NO_SUITABLE_KEY_SHARE:
      return """
        the peer shares no cipher with this end (\(error.text)). Check the versions of both, and \
        the kind of key in the certificate.
        """
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_PROTOCOLS_AVAILABLE:
      return "the peer shares no version of TLS with this end. Check the versions of both."
    case SSL_R_NO_APPLICATION_PROTOCOL:
      return "the client offers none of the application protocols of this server (ALPN)."
    default: return "\(error.text)."
    }
  }

  /// The text of an alert of the peer; nil if the error is none.
  private func alertText(_ reason: Int32) -> String? {
    // OpenSSL adds the number of the alert to this value.
    let alert = reason - SSL_AD_REASON_OFFSET
    guard (0...255).contains(alert) else { return nil }
    let certificate = isServer ? "the certificate of this server" : "the certificate of this client"
    switch alert {
    case 40:
      return """
        the peer refuses the handshake (handshake_failure). Check the versions and ciphers of \
        both\(isServer ? "" : ", and whether it needs a client certificate").
        """
    case 42, 43, 46: return "the peer does not accept \(certificate) (alert \(alert))."
    case 44: return "the peer does not accept \(certificate), which was revoked."
    case 45: return "the peer does not accept \(certificate), which has expired."
    case 48: return "the peer does not know the authority of \(certificate). Add its root there."
    case 49: return "the peer denies access with \(certificate)."
    case 70: return "the peer supports no version of TLS of this end. Check the versions of both."
    case 112: return "the peer does not know the host name \(host ?? "of this connection")."
    case 116: return "the peer requires a client certificate. Give the context one."
    case 120: return "the peer supports none of the application protocols of this end (ALPN)."
    default:
      let name = SSL_alert_desc_string_long(alert).map { String(cString: $0) }
      return "the peer has ended the session: \(name ?? "alert \(alert)")."
    }
  }
}
