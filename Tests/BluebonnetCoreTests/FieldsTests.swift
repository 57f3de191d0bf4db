// SPDX-License-Identifier: MIT
import BluebonnetCore
import Testing

@Suite struct FieldsTests {
  @Test func namesAreFoundInAnyCase() {
    var fields: HTTPClient.Fields = ["Accept": "a", "X": "1", "accept": "b"]
    #expect(fields["ACCEPT"] == "a")
    #expect(fields.values("Accept") == ["a", "b"])
    #expect(fields["Y"] == nil)
    fields["accept"] = "c"
    #expect(fields.map(\.name) == ["accept", "X"])
    #expect(fields.map(\.value) == ["c", "1"])
    fields["x"] = nil
    fields.append(name: "Accept", value: "d")
    #expect(fields.values("Accept") == ["c", "d"])
    #expect(fields.count == 2)
  }
}
