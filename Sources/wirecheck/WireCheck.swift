@main struct WireCheck { static func main() {} }
