package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
)

// requests are whole requests of HTTP.
type requests struct {
	objects, tensors         [][]byte // of a row
	lists, tables, decisions [][]byte // of many
	binary                   [][]byte
	batches                  [][]byte // as FastAPI takes them
}

// request is a whole request.
func request(path, kind string, body []byte, more string) []byte {
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n", path, kind,
		len(body), more), body...)
}

// requestsOf makes requests of the first rows of a frame.
func requestsOf(frame *dataset.Frame) *requests {
	r := new(requests)
	const many = 10
	for b := range many {
		var list []string
		var table strings.Builder
		for j := range frame.Columns {
			table.WriteString(frame.Columns[j].Name + ",")
		}
		table.WriteString("none\n")
		for i := b * batch; i < (b+1)*batch; i++ {
			var cells, inputs []string
			for j := range frame.Columns {
				c := &frame.Columns[j]
				cells = append(cells, fmt.Sprintf("%q:%v", c.Name, c.At(i)))
				inputs = append(inputs, fmt.Sprintf(`{"name":%q,"shape":[1],"datatype":"FP64","data":[%v]}`, c.Name, c.At(i)))
				fmt.Fprintf(&table, "%v,", c.At(i))
			}
			table.WriteString("\n")
			object := "{" + strings.Join(cells, ",") + "}"
			list = append(list, object)
			if i < batch {
				r.objects = append(r.objects, request("/score", "application/json", []byte(object), ""))
				r.tensors = append(r.tensors, request("/v2/models/letter/infer", "application/json",
					[]byte(`{"inputs":[`+strings.Join(inputs, ",")+"]}"), ""))
			}
		}
		text := "[" + strings.Join(list, ",") + "]"
		r.lists = append(r.lists, request("/score", "application/json", []byte(text), ""))
		r.tables = append(r.tables, request("/score", "text/csv", []byte(table.String()), ""))
		r.batches = append(r.batches, request("/batch", "application/json", []byte(text), ""))
		r.decisions = append(r.decisions, tensorsOf(frame, b*batch, `"outputs":[{"name":"decision","parameters":{"binary_data":true}}]`))
		r.binary = append(r.binary, tensorsOf(frame, b*batch, `"parameters":{"binary_data_output":true}`))
	}
	return r
}

// tensorsOf is a request of tensors in binary form, of the rows from lo on.
func tensorsOf(frame *dataset.Frame, lo int, more string) []byte {
	var inputs []map[string]any
	var data bytes.Buffer
	for j := range frame.Columns {
		c := &frame.Columns[j]
		inputs = append(inputs, map[string]any{"name": c.Name, "shape": []int{batch}, "datatype": "FP64",
			"parameters": map[string]int{"binary_data_size": 8 * batch}})
		for i := lo; i < lo+batch; i++ {
			var cell [8]byte
			binary.LittleEndian.PutUint64(cell[:], math.Float64bits(c.At(i)))
			data.Write(cell[:])
		}
	}
	list, err := json.Marshal(inputs)
	if err != nil {
		panic(err)
	}
	head := fmt.Sprintf(`{"inputs":%s,%s}`, list, more)
	return request("/v2/models/letter/infer", "application/octet-stream", append([]byte(head), data.Bytes()...),
		fmt.Sprintf("Inference-Header-Content-Length: %d\r\n", len(head)))
}
