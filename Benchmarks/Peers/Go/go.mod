module bluebonnet/benchmarks

go 1.19
