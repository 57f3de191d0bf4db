// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetGSSAPI

/// The system's Kerberos, looked for when it is first needed: programs that never are asked for a ticket need no such library.
struct GSSLibrary: Sendable {
  let importName: bluebonnet_gss_import_name
  let releaseName: bluebonnet_gss_release_name
  let releaseBuffer: bluebonnet_gss_release_buffer
  let initSecContext: bluebonnet_gss_init_sec_context
  let deleteSecContext: bluebonnet_gss_delete_sec_context
  let displayStatus: bluebonnet_gss_display_status

  static let fileName = "libgssapi_krb5.so.2"

  /// The library, which stays loaded; or why it cannot be had.
  static let shared = load(fileName)

  static func load(_ fileName: String) -> Result<GSSLibrary, AuthenticationFault> {
    guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else {
      let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
      return .failure(
        AuthenticationFault(
          .unsupported, .negotiate,
          "the system's Kerberos library cannot be loaded (Debian's package libgssapi-krb5-2): \(reason)"))
    }
    // A function of that name has the type of RFC 2744 in every implementation.
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }
    guard let importName = function("gss_import_name", as: bluebonnet_gss_import_name.self),
      let releaseName = function("gss_release_name", as: bluebonnet_gss_release_name.self),
      let releaseBuffer = function("gss_release_buffer", as: bluebonnet_gss_release_buffer.self),
      let initSecContext = function("gss_init_sec_context", as: bluebonnet_gss_init_sec_context.self),
      let deleteSecContext = function("gss_delete_sec_context", as: bluebonnet_gss_delete_sec_context.self),
      let displayStatus = function("gss_display_status", as: bluebonnet_gss_display_status.self)
    else {
      return .failure(
        AuthenticationFault(
          .unsupported, .negotiate, "\(fileName) is no GSSAPI library: functions are missing"))
    }
    return .success(
      GSSLibrary(
        importName: importName, releaseName: releaseName, releaseBuffer: releaseBuffer,
        initSecContext: initSecContext, deleteSecContext: deleteSecContext, displayStatus: displayStatus))
  }
}
