import Foundation
import RunnelTLS
import TestSupport

/// Certificates that the `openssl` command makes, once per process.
final class TestCertificates: Sendable {
  private let folder: TemporaryFolder

  static let shared = Task { await TestCertificates() }

  private init() async {
    let folder = TemporaryFolder()
    self.folder = folder
    folder.write("make.sh", Self.script)
    await withProcess(
      ["/bin/sh", folder["make.sh"], folder.path], environment: ["PATH": "/usr/bin"]
    ) {
      let lines = $0.remainingLines()
      precondition($0.wait() == .exit(0), "\(lines)")
    }
  }

  /// The path of a file: "root.pem" of the known root, "server.key" of a server, and so on.
  subscript(name: String) -> String { folder[name] }

  func identity(_ name: String) -> TLSIdentity {
    TLSIdentity(certificate: .file(self["\(name).pem"]), key: .file(self["\(name).key"]))
  }

  /// A root that has signed the intermediate and other certificates.
  var roots: TLSRoots { .only(.file(self["root.pem"])) }

  func copy(_ name: String, to other: String) {
    for ending in ["pem", "key"] {
      folder.write("\(other).\(ending)", text("\(name).\(ending)"))
    }
  }

  func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: self[name]) ?? Data(), as: UTF8.self)
  }

  private static let script = #"""
    cd "$1"
    set -e
    key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key" 2>/dev/null; }
    # sign NAME SUBJECT ISSUER DAYS EXTENSIONS
    sign() {
      key "$1"
      openssl req -new -key "$1.key" -subj "$2" -out "$1.csr" 2>/dev/null
      printf '%s\n' "$5" > "$1.ext"
      openssl x509 -req -in "$1.csr" -CA "$3.pem" -CAkey "$3.key" -CAcreateserial -days "$4" -extfile "$1.ext" -out "$1.pem" 2>/dev/null
    }
    root() {
      key "$1"
      openssl req -x509 -new -key "$1.key" -subj "$2" -days 30 -out "$1.pem" -addext basicConstraints=critical,CA:TRUE 2>/dev/null
    }
    root root "/CN=Test Root"
    root stranger "/CN=Unknown Root"
    sign middle "/CN=Test Intermediate" root 30 "basicConstraints=critical,CA:TRUE"
    sign leaf "/CN=server" middle 30 "subjectAltName=DNS:localhost,DNS:main.test,IP:127.0.0.1"
    cat leaf.pem middle.pem > server.pem; cp leaf.key server.key
    sign other "/CN=other" root 30 "subjectAltName=DNS:other.test,DNS:*.wild.test"
    sign renewed "/CN=renewed" root 30 "subjectAltName=DNS:localhost"
    sign expired "/CN=expired" root -1 "subjectAltName=DNS:localhost"
    sign strange "/CN=strange" stranger 30 "subjectAltName=DNS:localhost"
    sign client "/CN=client" root 30 "extendedKeyUsage=clientAuth"
    root self "/CN=self"
    # Certificates that are valid (V) or revoked (R), in the database of an authority.
    known() {
      for name in $3; do
        serial=$(openssl x509 -in "$name.pem" -noout -serial | cut -d= -f2)
        revoked=; [ "$2" = V ] || revoked=240101000000Z
        printf '%s\t491231235959Z\t%s\t%s\tunknown\t/CN=%s\n' "$2" "$revoked" "$serial" "$name" >> "$1.db"
      done
    }
    # list ISSUER FILE OPTIONS...
    list() {
      issuer=$1; file=$2; shift 2
      printf '[ca]\ndefault_ca=a\n[a]\ndatabase=%s.db\ndefault_md=sha256\ndefault_crl_days=5\n' "$issuer" > "$issuer.cnf"
      openssl ca -config "$issuer.cnf" -cert "$issuer.pem" -keyfile "$issuer.key" -gencrl -out "$file" "$@" 2>/dev/null
    }
    # answer ISSUER NAME SIGNER DATABASE FILE: an answer about the certificate
    answer() {
      openssl ocsp -index "$4.db" -CA "$1.pem" -rsigner "$3.pem" -rkey "$3.key" -issuer "$1.pem" -cert "$2.pem" -respout "$5.ocsp" -ndays 1 >/dev/null 2>&1
    }
    known middle V leaf; known root V "middle other"; known root R "renewed client"
    list root root.crl; list middle middle.crl
    list root old.crl -crl_lastupdate 20200101000000Z -crl_nextupdate 20200201000000Z
    cat root.crl middle.crl > all.crl
    answer middle leaf middle middle leaf; answer root renewed root root renewed; answer root other root root other
    answer middle leaf stranger middle forged; answer middle leaf middle root unknown
    openssl pkey -in server.key -aes256 -passout pass:secret -out encrypted.key
    """#
}
