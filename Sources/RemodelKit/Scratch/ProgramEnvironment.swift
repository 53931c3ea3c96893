import Subprocess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The environment of PostgreSQL's programs: the variables that they need from this process, and no
/// others.
enum ProgramEnvironment {
  /// The variables that any program needs.
  static var common: [Environment.Key: String] {
    kept([
      "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "TZDIR", "LD_LIBRARY_PATH",
      "DYLD_LIBRARY_PATH", "LOCPATH", "LOCALE_ARCHIVE", "ICU_DATA",
    ]).merging(["LC_ALL": "C"]) { $1 }
  }

  /// The variables that a program needs to connect to a server as libpq does in this process: those
  /// of Kerberos, OpenSSL and tokens, and those of libpq.
  ///
  /// - Parameter variables: The variables of libpq for one connection; `nil` removes one.
  /// - Returns: The environment.
  static func connecting(_ variables: [String: String?]) -> [Environment.Key: String] {
    var environment = common.merging(
      kept([
        "KRB5CCNAME", "KRB5_CONFIG", "KRB5_KTNAME", "KRB5_CLIENT_KTNAME", "KRB5_TRACE",
        "GSS_USE_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "SOFTHSM2_CONF", "PGSYSCONFDIR",
      ]).merging(kept(prefixes: ["OPENSSL_", "PKCS11_"])) { $1 }
    ) { $1 }
    for (name, value) in variables {
      if let key = Environment.Key(rawValue: name) { environment[key] = value }
    }
    return environment
  }

  /// Returns the variables of libraries and of the engines and providers that they load.
  private static func kept(prefixes: [String]) -> [Environment.Key: String] {
    kept(
      ProcessInfo.processInfo.environment.keys.filter { name in
        prefixes.contains(where: name.hasPrefix)
      }
    )
  }

  private static func kept(_ names: [String]) -> [Environment.Key: String] {
    let inherited = ProcessInfo.processInfo.environment
    var environment: [Environment.Key: String] = [:]
    for name in names {
      if let key = Environment.Key(rawValue: name) { environment[key] = inherited[name] }
    }
    return environment
  }
}
