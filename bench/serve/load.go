package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// address is where the servers listen.
const address = "127.0.0.1:18473"

// process is a server.
type process struct{ cmd *exec.Cmd }

// start starts a server, and waits until it listens.
func start(ctx context.Context, cmd *exec.Cmd) (*process, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd}
	for range 600 {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			return p, conn.Close()
		}
		select {
		case <-ctx.Done():
			p.end()
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	p.end()
	return nil, fmt.Errorf("%s does not listen within a minute: %s", cmd.Path, said.String())
}

// end ends the server.
func (p *process) end() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}

// seconds of processors that the server has taken so far.
func (p *process) seconds() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // ticks of which Linux has 100 in a second
}

// own are the seconds of processors that this process has taken.
func own() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// load is how a server is asked.
type load struct {
	connections int
	length      time.Duration
	paced       float64 // requests a second; 0 is as many as can be
}

// measured is what came of it.
type measured struct {
	rows       int
	clock, cpu float64 // seconds
	waits      []time.Duration
}

func (m *measured) rate() float64         { return float64(m.rows) / m.clock }
func (m *measured) perProcessor() float64 { return float64(m.rows) / m.cpu }

func (m *measured) print(server, request string) {
	slices.Sort(m.waits)
	at := func(q float64) float64 { return m.waits[int(q*float64(len(m.waits)-1))].Seconds() * 1000 }
	fmt.Printf("| %s | %s | %.0f | %.0f %% | %.0f | %.2f | %.2f |\n", server, request, m.rate(),
		100*m.cpu/m.clock/float64(runtime.NumCPU()), m.perProcessor(), at(0.5), at(0.99))
}

// measure asks a server for a while. Each request is of that many rows.
func (l load) measure(ctx context.Context, p *process, all [][]byte, rows int) (measured, error) {
	var m measured
	var mu sync.Mutex
	var clients sync.WaitGroup
	errs := make([]error, l.connections)
	ctx, cancel := context.WithTimeout(ctx, l.length)
	defer cancel()
	begin, cpu := time.Now(), p.seconds()+own()
	for c := range l.connections {
		clients.Go(func() {
			n, waits, err := l.client(ctx, c, all)
			mu.Lock()
			defer mu.Unlock()
			m.rows, m.waits, errs[c] = m.rows+n*rows, append(m.waits, waits...), err
		})
	}
	clients.Wait()
	m.clock, m.cpu = time.Since(begin).Seconds(), p.seconds()+own()-cpu
	if len(m.waits) == 0 {
		errs = append(errs, errors.New("nothing was answered"))
	}
	return m, errors.Join(errs...)
}

// client asks on a connection until ctx ends.
func (l load) client(ctx context.Context, number int, all [][]byte) (n int, waits []time.Duration, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return 0, nil, err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 1<<16)
	waits = make([]time.Duration, 0, 1<<16)
	due := time.Now()
	for i := number * len(all) / l.connections; ctx.Err() == nil; i++ {
		if l.paced > 0 {
			due = due.Add(time.Duration(float64(time.Second) * float64(l.connections) / l.paced))
			time.Sleep(time.Until(due))
		}
		begin := time.Now()
		if l.paced > 0 {
			begin = due // a request waits from when it was to be sent
		}
		if _, err := conn.Write(all[i%len(all)]); err != nil {
			return n, waits, err
		}
		if err := answer(in); err != nil {
			return n, waits, err
		}
		n, waits = n+1, append(waits, time.Since(begin))
	}
	return n, waits, nil
}

// answer reads over an answer, which must be of status 200.
func answer(in *bufio.Reader) error {
	status, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200")) {
		return fmt.Errorf("answered %q", status)
	}
	length := -1
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(":")); bytes.EqualFold(name, []byte("content-length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("an answer does not say how long it is")
	}
	_, err = io.CopyN(io.Discard, in, int64(length))
	return err
}
