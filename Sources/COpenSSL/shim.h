// OpenSSL 3, with functions for its macros, and a BIO that reads and writes memory of the caller.
#pragma once

#if __has_include(<openssl/ssl.h>)
#include <openssl/err.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#else
#error "RunnelTLS needs OpenSSL 3. Install the package libssl-dev (Fedora: openssl-devel)."
#endif

#if OPENSSL_VERSION_MAJOR < 3
#error "RunnelTLS needs OpenSSL 3 or later. Install a newer libssl-dev."
#endif

#include <string.h>

// MARK: - Memory of a session

// The bytes that a session reads and writes, and the first error of verification. The caller sets
// the pointers before each call of OpenSSL, and they are valid during that call only.
typedef struct {
  const unsigned char *input;
  size_t input_count;
  unsigned char *output;
  size_t output_count;
  size_t output_capacity;
  // The certificate that was not accepted, owned by this structure; NULL if there is none.
  X509 *rejected;
  // The reason as an X509_V_ERR value, or 0.
  long verify_error;
  // An object of the caller, for callbacks.
  void *owner;
} runnel_tls_memory;

static inline int runnel_bio_read(BIO *bio, char *buffer, size_t count, size_t *read) {
  runnel_tls_memory *memory = (runnel_tls_memory *)BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  if (memory->input_count == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  if (count > memory->input_count) count = memory->input_count;
  memcpy(buffer, memory->input, count);
  memory->input += count;
  memory->input_count -= count;
  *read = count;
  return 1;
}

static inline int runnel_bio_write(BIO *bio, const char *bytes, size_t count, size_t *written) {
  runnel_tls_memory *memory = (runnel_tls_memory *)BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  size_t room = memory->output_capacity - memory->output_count;
  if (room == 0) {
    BIO_set_retry_write(bio);
    return -1;
  }
  if (count > room) count = room;
  memcpy(memory->output + memory->output_count, bytes, count);
  memory->output_count += count;
  *written = count;
  return 1;
}

static inline long runnel_bio_control(BIO *bio, int command, long number, void *pointer) {
  (void)bio, (void)number, (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

static inline BIO_METHOD *runnel_bio_method(void) {
  BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "runnel");
  if (!method) return NULL;
  BIO_meth_set_read_ex(method, runnel_bio_read);
  BIO_meth_set_write_ex(method, runnel_bio_write);
  BIO_meth_set_ctrl(method, runnel_bio_control);
  return method;
}

// Creates a session that uses the memory. Returns NULL if there is no memory left.
static inline SSL *runnel_tls_new(SSL_CTX *context, BIO_METHOD *method, runnel_tls_memory *memory) {
  SSL *session = SSL_new(context);
  BIO *bio = BIO_new(method);
  if (!session || !bio) {
    SSL_free(session);
    BIO_free(bio);
    return NULL;
  }
  BIO_set_data(bio, memory);
  BIO_set_init(bio, 1);
  SSL_set_bio(session, bio, bio);
  SSL_set_app_data(session, (char *)memory);
  return session;
}

static inline runnel_tls_memory *runnel_tls_memory_of(const SSL *session) {
  return (runnel_tls_memory *)SSL_get_app_data(session);
}

// Records the first error of verification with its certificate.
static inline int runnel_tls_verify(int is_accepted, X509_STORE_CTX *store) {
  if (is_accepted) return 1;
  SSL *session =
      (SSL *)X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  runnel_tls_memory *memory = session ? runnel_tls_memory_of(session) : NULL;
  if (memory && !memory->verify_error) {
    memory->verify_error = X509_STORE_CTX_get_error(store);
    memory->rejected = X509_STORE_CTX_get_current_cert(store);
    if (memory->rejected) X509_up_ref(memory->rejected);
  }
  return 0;
}

static inline void runnel_tls_set_verify(SSL_CTX *context, int mode) {
  SSL_CTX_set_verify(context, mode, mode == SSL_VERIFY_NONE ? NULL : runnel_tls_verify);
}

// MARK: - Answers of authorities (OCSP)

// Returns 1 if the bytes are a successful answer.
static inline int runnel_ocsp_is_response(const unsigned char *bytes, size_t count) {
  OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &bytes, (long)count);
  int is_valid = response && OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL;
  OCSP_RESPONSE_free(response);
  return is_valid;
}

// Sends an answer in the handshake of a server.
static inline int runnel_tls_staple(SSL *session, const unsigned char *bytes, size_t count) {
  unsigned char *copy = (unsigned char *)OPENSSL_memdup(bytes, count);
  // The session frees the copy.
  return copy && SSL_set_tlsext_status_ocsp_resp(session, copy, (long)count);
}

static inline void runnel_tls_set_staple_callback(
    SSL_CTX *context, int (*callback)(SSL *, void *), void *argument) {
  SSL_CTX_set_tlsext_status_cb(context, callback);
  SSL_CTX_set_tlsext_status_arg(context, argument);
}

// Returns the status of a certificate in an answer, as V_OCSP_CERTSTATUS; -1 if it is not in it or is out
// of date.
static inline int runnel_ocsp_status(OCSP_BASICRESP *answer, X509 *certificate, X509 *issuer) {
  for (int i = 0; i < OCSP_resp_count(answer); i++) {
    OCSP_SINGLERESP *single = OCSP_resp_get0(answer, i);
    OCSP_CERTID *known = (OCSP_CERTID *)OCSP_SINGLERESP_get0_id(single);
    ASN1_OBJECT *hash = NULL;
    OCSP_id_get0_info(NULL, &hash, NULL, NULL, known);
    OCSP_CERTID *wanted = OCSP_cert_to_id(EVP_get_digestbyobj(hash), certificate, issuer);
    int is_wanted = wanted && OCSP_id_cmp(wanted, known) == 0;
    OCSP_CERTID_free(wanted);
    if (!is_wanted) continue;
    ASN1_GENERALIZEDTIME *begin = NULL, *end = NULL;
    int status = OCSP_single_get0_status(single, NULL, NULL, &begin, &end);
    // The clocks may differ by five minutes. An answer without an end counts for a week.
    return OCSP_check_validity(begin, end, 300, end ? -1 : 7 * 86400) ? status : -1;
  }
  return -1;
}

// Checks the answer that a server has sent. Returns 0, or an X509_V_ERR value.
static inline int runnel_ocsp_check(SSL *session) {
  const unsigned char *bytes = NULL;
  long count = SSL_get_tlsext_status_ocsp_resp(session, &bytes);
  if (!bytes || count <= 0) return X509_V_ERR_OCSP_VERIFY_NEEDED;
  OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &bytes, count);
  OCSP_BASICRESP *answer = response ? OCSP_response_get1_basic(response) : NULL;
  STACK_OF(X509) *chain = SSL_get0_verified_chain(session);
  X509_STORE *store = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(session));
  int status = -1;
  if (answer && chain && sk_X509_num(chain) > 0 &&
      OCSP_basic_verify(answer, chain, store, 0) > 0) {
    X509 *certificate = sk_X509_value(chain, 0);
    // A certificate that is trusted itself may be alone.
    X509 *issuer = sk_X509_value(chain, sk_X509_num(chain) > 1 ? 1 : 0);
    status = runnel_ocsp_status(answer, certificate, issuer);
  }
  OCSP_BASICRESP_free(answer);
  OCSP_RESPONSE_free(response);
  if (status == V_OCSP_CERTSTATUS_GOOD) return 0;
  return status == V_OCSP_CERTSTATUS_REVOKED ? X509_V_ERR_CERT_REVOKED
                                             : X509_V_ERR_OCSP_VERIFY_FAILED;
}

// Records why an answer is refused, with the certificate.
static inline int runnel_tls_check_staple(SSL *session, void *argument) {
  (void)argument;
  int error = runnel_ocsp_check(session);
  ERR_clear_error();
  if (!error) return 1;
  runnel_tls_memory *memory = runnel_tls_memory_of(session);
  if (memory && !memory->verify_error) {
    memory->verify_error = error;
    memory->rejected = SSL_get1_peer_certificate(session);
  }
  return 0;
}

static inline void runnel_tls_require_staple(SSL_CTX *context) {
  SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
  SSL_CTX_set_tlsext_status_cb(context, runnel_tls_check_staple);
}

// MARK: - Macros

static inline int runnel_tls_set_versions(SSL_CTX *context, int minimum, int maximum) {
  return SSL_CTX_set_min_proto_version(context, minimum) &&
         SSL_CTX_set_max_proto_version(context, maximum);
}

static inline void runnel_tls_set_defaults(SSL_CTX *context) {
  SSL_CTX_set_options(
      context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(
      context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                   SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

static inline void runnel_tls_disable_resumption(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(context, 0);
}

static inline void runnel_tls_set_cache_mode(SSL_CTX *context, long mode) {
  SSL_CTX_set_session_cache_mode(context, mode);
}

// Uses a certificate for a context, or for a session instead of those of its context.
static inline int runnel_tls_use(
    SSL_CTX *context, SSL *session, X509 *certificate, EVP_PKEY *key, X509 **chain, size_t count) {
  STACK_OF(X509) *others = sk_X509_new_null();
  int is_used = others != NULL;
  for (size_t i = 0; i < count && is_used; i++) is_used = sk_X509_push(others, chain[i]) > 0;
  if (session && is_used) {
    SSL_certs_clear(session);
    is_used = SSL_use_cert_and_key(session, certificate, key, others, 1);
  } else if (is_used) {
    is_used = SSL_CTX_use_cert_and_key(context, certificate, key, others, 1);
  }
  sk_X509_free(others);
  return is_used;
}

static inline void runnel_tls_set_name_callback(
    SSL_CTX *context, int (*callback)(SSL *, int *, void *), void *argument) {
  SSL_CTX_set_tlsext_servername_callback(context, callback);
  SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline int runnel_tls_set_name(SSL *session, const char *name) {
  return (int)SSL_set_tlsext_host_name(session, name);
}

static inline void runnel_tls_add_client_names(SSL_CTX *context, X509 *certificate) {
  SSL_CTX_add_client_CA(context, certificate);
}

static inline int runnel_error_reason(unsigned long code) { return ERR_GET_REASON(code); }
static inline int runnel_error_library(unsigned long code) { return ERR_GET_LIB(code); }

// MARK: - Certificates

static inline int runnel_name_count(const GENERAL_NAMES *names) {
  return names ? sk_GENERAL_NAME_num(names) : 0;
}

static inline GENERAL_NAMES *runnel_alternative_names(const X509 *certificate) {
  return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

// Returns GEN_DNS, GEN_IPADD or another type, with the bytes of the name for these two.
static inline int runnel_name_at(
    const GENERAL_NAMES *names, int index, const unsigned char **bytes, int *count) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  if (name->type == GEN_DNS || name->type == GEN_IPADD) {
    const ASN1_STRING *text = name->type == GEN_DNS ? name->d.dNSName : name->d.iPAddress;
    *bytes = ASN1_STRING_get0_data(text);
    *count = ASN1_STRING_length(text);
  }
  return name->type;
}

static inline void runnel_free_names(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }

static inline int runnel_print_name(BIO *bio, const X509_NAME *name) {
  return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

// Returns the contents of a memory BIO, which stay valid until it is freed.
static inline long runnel_bio_contents(BIO *bio, char **bytes) {
  return BIO_get_mem_data(bio, bytes);
}
