// SPDX-License-Identifier: MIT
// The same command line as the other clients, with Go's net/http. With the mode "sink" it is the server that uploads go
// to: it counts a body and answers with the number of bytes. It also answers with 500,000 chunks of 16 bytes.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func sink(address, secure, certificate, key string) {
	chunks := append([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
		bytes.Repeat([]byte("10\r\n0123456789abcdef\r\n"), 500000)...)
	chunks = append(chunks, "0\r\n\r\n"...)
	http.HandleFunc("/chunks", func(answer http.ResponseWriter, request *http.Request) {
		connection, _, err := answer.(http.Hijacker).Hijack()
		check(err)
		defer connection.Close()
		connection.Write(chunks)
	})
	pages := sync.Pool{New: func() any { page := make([]byte, 1<<20); return &page }}
	listener, err := net.Listen("tcp", address)
	check(err)
	http.HandleFunc("/", func(answer http.ResponseWriter, request *http.Request) {
		page := pages.Get().(*[]byte)
		defer pages.Put(page)
		count := 0
		for {
			more, err := request.Body.Read(*page)
			count += more
			if err != nil {
				break
			}
		}
		fmt.Fprintln(answer, count)
	})
	secureListener, err := net.Listen("tcp", secure)
	check(err)
	go func() { check(http.ServeTLS(secureListener, nil, certificate, key)) }()
	check(http.Serve(listener, nil))
}

// A stream in memory: nothing but Read, as an InputStream is.
type stream struct{ reader *bytes.Reader }

func (s stream) Read(page []byte) (int, error) { return s.reader.Read(page) }

func peak() int {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "VmHWM:" {
			kilobytes, _ := strconv.Atoi(words[1])
			return kilobytes
		}
	}
	return 0
}

func main() {
	mode, url := os.Args[1], os.Args[2]
	if mode == "sink" {
		sink(url, os.Args[3], os.Args[4], os.Args[5])
	}
	flags := flag.NewFlagSet("go", flag.ExitOnError)
	requests := flags.Int("requests", 1, "")
	concurrency := flags.Int("concurrency", 1, "")
	authorities := flags.String("cacert", "", "")
	file := flags.String("file", "", "")
	check(flags.Parse(os.Args[3:]))

	transport := &http.Transport{MaxConnsPerHost: *concurrency, MaxIdleConnsPerHost: *concurrency, DisableCompression: true}
	if *authorities != "" {
		text, err := os.ReadFile(*authorities)
		check(err)
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(text)
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	client := &http.Client{Transport: transport}
	var body []byte
	if mode == "upload-data" || mode == "upload-stream" {
		var err error
		body, err = os.ReadFile(*file)
		check(err)
	}
	var total atomic.Int64
	one := func() {
		var response *http.Response
		var err error
		switch mode {
		case "small", "stream":
			response, err = client.Get(url)
		default:
			var request *http.Request
			switch mode {
			case "upload-data":
				request, err = http.NewRequest("POST", url, bytes.NewReader(body))
			case "upload-stream":
				request, err = http.NewRequest("POST", url, stream{bytes.NewReader(body)})
				request.ContentLength = int64(len(body))
			case "upload-file":
				opened, problem := os.Open(*file)
				check(problem)
				facts, problem := opened.Stat()
				check(problem)
				request, err = http.NewRequest("POST", url, opened)
				request.ContentLength = facts.Size()
			}
			check(err)
			total.Add(request.ContentLength)
			response, err = client.Do(request)
		}
		check(err)
		count, err := io.Copy(io.Discard, response.Body)
		check(err)
		response.Body.Close()
		if !strings.HasPrefix(mode, "upload") {
			total.Add(count)
		}
	}
	var before, after syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	start := time.Now()
	var workers sync.WaitGroup
	for worker := 0; worker < *concurrency; worker++ {
		mine := *requests / *concurrency
		if worker < *requests%*concurrency {
			mine++
		}
		workers.Add(1)
		go func() {
			defer workers.Done()
			for ; mine > 0; mine-- {
				one()
			}
		}()
	}
	workers.Wait()
	wall := time.Since(start).Seconds()
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	seconds := func(a, b syscall.Timeval) float64 {
		return float64(b.Sec-a.Sec) + float64(b.Usec-a.Usec)/1e6
	}
	fmt.Printf(`{"wall_s": %g, "user_s": %g, "sys_s": %g, "requests": %d, "bytes": %d, "max_rss_kb": %d}`+"\n",
		wall, seconds(before.Utime, after.Utime), seconds(before.Stime, after.Stime), *requests, total.Load(), peak())
}
