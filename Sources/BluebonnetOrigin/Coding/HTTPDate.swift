/// Dates as RFC 9110 §5.6.7 prefers them: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The date `seconds` after the beginning of 1970.
  static func text(_ seconds: Int) -> String {
    let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let second = seconds - day * 86_400
    let (year, month, dayOfMonth) = civil(day)
    let weekday = weekdays[((day % 7) + 7) % 7]
    let clock = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
    return "\(weekday), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(clock) GMT"
  }

  /// Days since 1970 to a Gregorian date; years begin in March here, so that the leap day comes last.
  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
