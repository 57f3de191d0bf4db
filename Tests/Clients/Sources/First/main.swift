// SPDX-License-Identifier: MIT
import Bluebonnet

let response = await AF.request("https://example.org/").validate().serializingString().response
print(response.result)
