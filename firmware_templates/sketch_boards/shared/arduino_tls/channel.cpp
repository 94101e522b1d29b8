/* Connections with TLS 1.2 by mbedTLS, which Espressif's core contains: the board shows the certificate of
 * certificate.h, which controllers know. */
#if defined(__has_include)
#if !__has_include(<mbedtls/ssl.h>)
#error "TLS needs mbedTLS; on this computer install it, for example with: apt install libmbedtls-dev"
#endif
#endif
#include "channel.h"

#include <mbedtls/version.h>
#if MBEDTLS_VERSION_MAJOR >= 4
#error "the link over TLS needs mbedTLS 2 or 3: use version 2 or 3 of Espressif's core"
#endif

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/pk.h>
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>

#include <new>

#include "certificate.h"
#include "resets.h"

#define OPEN_MS 5000u /* for the handshake */

struct channel_session {
  mbedtls_ssl_context tls;
  bool is_open, is_over;
  uint32_t since; /* ms */
};

static mbedtls_entropy_context entropy;
static mbedtls_ctr_drbg_context random_bytes;
static mbedtls_x509_crt certificate;
static mbedtls_pk_context key;
static mbedtls_ssl_config settings;

static int read_key() {
  const unsigned char *text = (const unsigned char *)ROBOT_KEY;
#if MBEDTLS_VERSION_MAJOR >= 3
  return mbedtls_pk_parse_key(&key, text, sizeof ROBOT_KEY, nullptr, 0, mbedtls_ctr_drbg_random,
                              &random_bytes);
#else
  return mbedtls_pk_parse_key(&key, text, sizeof ROBOT_KEY, nullptr, 0);
#endif
}

static int read_certificate() {
  mbedtls_entropy_init(&entropy);
  mbedtls_ctr_drbg_init(&random_bytes);
  mbedtls_x509_crt_init(&certificate);
  mbedtls_pk_init(&key);
  int problem = mbedtls_ctr_drbg_seed(&random_bytes, mbedtls_entropy_func, &entropy, nullptr, 0);
  if (problem == 0)
    problem = mbedtls_x509_crt_parse(&certificate, (const unsigned char *)ROBOT_CERTIFICATE,
                                     sizeof ROBOT_CERTIFICATE);
  return problem == 0 ? read_key() : problem;
}

/* TLS 1.2 with one suite: what every core has, and what costs a board least. */
static int choose() {
  static const int suites[] = {MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, 0};
  mbedtls_ssl_config_init(&settings);
  const int problem = mbedtls_ssl_config_defaults(&settings, MBEDTLS_SSL_IS_SERVER,
                                                  MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
  if (problem != 0) return problem;
#if MBEDTLS_VERSION_MAJOR >= 3
  mbedtls_ssl_conf_min_tls_version(&settings, MBEDTLS_SSL_VERSION_TLS1_2);
  mbedtls_ssl_conf_max_tls_version(&settings, MBEDTLS_SSL_VERSION_TLS1_2);
#else
  mbedtls_ssl_conf_min_version(&settings, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
  mbedtls_ssl_conf_max_version(&settings, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
#endif
  mbedtls_ssl_conf_ciphersuites(&settings, suites);
  mbedtls_ssl_conf_rng(&settings, mbedtls_ctr_drbg_random, &random_bytes);
  return mbedtls_ssl_conf_own_cert(&settings, &certificate, &key);
}

static bool is_ready() {
  static bool was_tried, is_good;
  if (was_tried) return is_good;
  was_tried = true;
  is_good = read_certificate() == 0 && choose() == 0;
  if (!is_good) network_print("TLS: ", "certificate.h has no certificate with its key; delete it and build");
  return is_good;
}

static int send_bytes(void *of, const unsigned char *data, size_t size) {
  const size_t taken = network_send_some(((channel *)of)->client, data, size);
  return taken > 0 ? (int)taken : MBEDTLS_ERR_SSL_WANT_WRITE;
}

static int receive_bytes(void *of, unsigned char *data, size_t size) {
  WiFiClient &client = ((channel *)of)->client;
  if (client.available() > 0) return client.read(data, size);
  return client.connected() ? MBEDTLS_ERR_SSL_WANT_READ : MBEDTLS_ERR_SSL_CONN_EOF;
}

void channel_open(channel &one, const WiFiClient &client) {
  one.client = client;
  one.session = is_ready() ? new (std::nothrow) channel_session() : nullptr;
  if (one.session == nullptr) return;
  one.session->since = millis();
  mbedtls_ssl_init(&one.session->tls);
  one.session->is_over = mbedtls_ssl_setup(&one.session->tls, &settings) != 0; /* no memory */
  mbedtls_ssl_set_bio(&one.session->tls, &one, send_bytes, receive_bytes, nullptr);
}

static bool waits(int result) {
  return result == MBEDTLS_ERR_SSL_WANT_READ || result == MBEDTLS_ERR_SSL_WANT_WRITE;
}

/* Goes on with the handshake by a step, which may compute for a tenth of a second. */
static void shake_hands(channel_session &session) {
  const int result = mbedtls_ssl_handshake_step(&session.tls);
  watchdog_feed();
#if MBEDTLS_VERSION_MAJOR >= 3
  session.is_open = mbedtls_ssl_is_handshake_over(&session.tls);
#else
  session.is_open = session.tls.state == MBEDTLS_SSL_HANDSHAKE_OVER;
#endif
  const bool is_late = !session.is_open && millis() - session.since > OPEN_MS;
  if (is_late || (result != 0 && !waits(result))) session.is_over = true;
}

int channel_read(channel &one, uint8_t *data, size_t size) {
  if (one.session == nullptr || one.session->is_over) return -1;
  if (!one.session->is_open) {
    shake_hands(*one.session);
    return 0;
  }
  const int result = mbedtls_ssl_read(&one.session->tls, data, size);
  if (result > 0 || waits(result)) return result > 0 ? result : 0;
  one.session->is_over = true;
  return -1;
}

bool channel_send(channel &one, const uint8_t *data, size_t size) {
  if (one.session == nullptr || !one.session->is_open || one.session->is_over) return false;
  return mbedtls_ssl_write(&one.session->tls, data, size) == (int)size;
}

void channel_close(channel &one) {
  if (one.session != nullptr) {
    if (one.session->is_open && !one.session->is_over) mbedtls_ssl_close_notify(&one.session->tls);
    mbedtls_ssl_free(&one.session->tls);
    delete one.session;
    one.session = nullptr;
  }
  one.client.stop();
}
