import Testing

@testable import bonnet

@Suite struct ProgressBarTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1_000, "1.00 kB"), (1_234_567, "1.23 MB"), (45_600_000, "45.6 MB"),
    (999_400_000, "999 MB"), (999_600_000, "1.00 GB"), (5e15, "5000 TB"),
  ])
  func sizes(bytes: Double, text: String) {
    #expect(ProgressBar.size(bytes) == text)
  }

  @Test func half() {
    let bar = ProgressBar(received: 500_000, total: 1_000_000, elapsed: 2)
    #expect(bar.text(width: 60) == "[##########----------]  50%  500 kB/1.00 MB  250 kB/s  00:02")
  }

  @Test(arguments: [0, 1, 10, 20, 40, 80, 200], [0, 1, 500, 1_000, 2_000])
  func neverTooWide(width: Int, received: Int) {
    for total in [nil, 0, 1_000] as [Int64?] {
      let bar = ProgressBar(received: Int64(received), total: total, elapsed: 1)
      #expect(bar.text(width: width).count <= width)
    }
  }

  @Test func unknownLength() {
    #expect(ProgressBar(received: 2_000, total: nil, elapsed: 1).text(width: 80) == "2.00 kB  2.00 kB/s")
    #expect(
      ProgressBar(received: 0, total: 100, elapsed: 0).text(width: 80).hasSuffix(
        "  0%  0 B/100 B  0 B/s  --:--"))
  }

  @Test(arguments: [
    ("%{http_code}\\n", "200\n"), ("100%% %{nobody}%{size}", "100% 12"), ("%{open", "%{open"),
    ("\\q%", "\\q%"),
    ("", ""),
  ])
  func writeOut(format: String, text: String) {
    #expect(WriteOut(format: format).text(["http_code": "200", "size": "12"]) == text)
  }
}
