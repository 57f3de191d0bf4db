@main struct Bonnet { static func main() {} }
