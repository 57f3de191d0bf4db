// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

@Suite struct HostsFileTests {
  private static let text = """
    127.0.0.1\tlocalhost
    # 10.0.0.9 commented.test
    10.0.0.1   one.test  alias.test # trailing.test
    10.0.0.2\tone.test
    2001:db8::1\tONE.test\r
    fe80::1%1 scoped.test
    nonsense one.test
    10.0.0.1 one.test
    10.0.0.3
    """

  private func addresses(_ host: String) -> [String] {
    HostsFile.addresses(of: host, in: Array(Self.text.utf8)).map(\.host)
  }

  @Test(arguments: ["one.test", "One.Test", "one.test."])
  func allAddressesOfANameAreFoundOnce(host: String) {
    #expect(addresses(host) == ["2001:db8::1", "10.0.0.1", "10.0.0.2"])
  }

  @Test func aliasesAreNames() {
    #expect(addresses("alias.test") == ["10.0.0.1"])
  }

  @Test(arguments: ["commented.test", "trailing.test", "none.test", "10.0.0.3", "one", "", ".", "#"])
  func othersAreNotThere(host: String) {
    #expect(addresses(host) == [])
  }

  @Test(arguments: ["", "\n\n", "#", "\u{0}", "1.2.3.4", "1.2.3.4 \t", "\r\n1.2.3.4"])
  func brokenFilesAreHarmless(text: String) {
    #expect(HostsFile.addresses(of: "a.test", in: Array(text.utf8)) == [])
  }

  /// This machine's own file is read.
  @Test func localhostIsThere() {
    #expect(HostsFile.addresses(of: "localhost")?.isEmpty == false)
    #expect(HostsFile.addresses(of: "no-such-host.invalid") == nil)
  }

  @Test(
    arguments: [
      ("hosts: files dns", true), ("hosts:\tfiles mdns4_minimal [NOTFOUND=return] dns", true),
      ("passwd: x\nhosts: mymachines resolve [!UNAVAIL=return] files myhostname dns", true),
      ("hosts: dns files", false), ("hosts: mdns4_minimal [NOTFOUND=return] files dns", false),
      ("hosts: dns", false), ("hosts:", false), ("# hosts: dns", true), ("", true),
      ("nothosts: dns\nhosts: files", true), ("hosts: dns # files", false),
    ])
  func theAdministratorSaysWhoIsAskedFirst(text: String, isFirst: Bool) {
    #expect(NameServiceOrder.filesComeFirst(in: text) == isFirst)
  }
}
