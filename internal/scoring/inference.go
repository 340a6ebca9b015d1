package scoring

import (
	"net/http"
	"slices"
	"strconv"
)

// Inference is a request to infer, as it is read.
type Inference struct {
	Reasons int    // how many the output of that name has of each row
	id      []byte // as it is written; nil if there is none
	inputs  []tensor
	rest    []byte // what is binary of the inputs
	wanted  []wanted
	binary  bool // outputs are to be binary unless they say otherwise
}

// wanted is an output that is asked for.
type wanted struct {
	output *output
	binary bool
}

// HeadLength is the header that says how many bytes of a body are JSON, where the rest is binary.
const HeadLength = "Inference-Header-Content-Length"

// usualReasons is how many reasons the output of that name has of each row, unless the request says.
const usualReasons = 3

// ReadInference reads a request to infer of its body and of the header [HeadLength].
func ReadInference(body []byte, length string) (*Inference, error) {
	head, rest, err := parted(body, length)
	if err != nil {
		return nil, err
	}
	in := &Inference{Reasons: usualReasons, rest: rest}
	return in, in.read(head)
}

// Wants tells whether an output is asked for.
func (in *Inference) Wants(output string) bool {
	return slices.ContainsFunc(in.wanted, func(w wanted) bool { return w.output.name == output })
}

// parted divides a body into its JSON and what is binary.
func parted(body []byte, length string) (head, rest []byte, err error) {
	if length == "" {
		return body, nil, nil
	}
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 || n > len(body) {
		return nil, nil, Refusef(http.StatusBadRequest, "header %s is %.40q, and the body has %d bytes", HeadLength, length,
			len(body))
	}
	return body[:n], body[n:], nil
}

// read reads the JSON of a request.
func (in *Inference) read(head []byte) error {
	s := scanner{data: head}
	named := false // whether outputs are named
	err := s.object(func(name []byte) (err error) {
		switch string(name) {
		case "id":
			s.next()
			begin := s.at
			_, err = s.text()
			in.id = head[begin:s.at]
		case "parameters":
			err = s.object(func(name []byte) error { return in.parameter(&s, string(name)) })
		case "inputs":
			err = s.list(func() error {
				t, err := s.tensor()
				in.inputs = append(in.inputs, t)
				return err
			})
		case "outputs":
			err = s.list(func() error { named = true; return in.output(&s) })
		default:
			_, err = s.value()
		}
		return err
	})
	if err == nil {
		err = s.end()
	}
	if err == nil && len(in.inputs) == 0 {
		err = Refusef(http.StatusBadRequest, "the request has no inputs; send a tensor for each column of the model")
	}
	if !named {
		for i := range outputs {
			if outputs[i].usual {
				in.wanted = append(in.wanted, wanted{&outputs[i], false})
			}
		}
	}
	for i := range in.wanted {
		in.wanted[i].binary = in.wanted[i].binary || in.binary && !named
	}
	return err
}

// parameter reads a parameter of the request.
func (in *Inference) parameter(s *scanner, name string) error {
	value, err := s.value()
	if err != nil {
		return err
	}
	switch name {
	case "binary_data_output":
		in.binary = string(value) == "true"
	case "reasons":
		n, err := strconv.Atoi(string(value))
		if err != nil || n < 1 {
			return Refusef(http.StatusBadRequest, "parameter reasons is %.40q; give a number from 1 on", value)
		}
		in.Reasons = n
	}
	return nil // others are for other servers
}

// output reads which output is asked for, and in which form.
func (in *Inference) output(s *scanner) error {
	var w wanted
	err := s.object(func(member []byte) (err error) {
		switch string(member) {
		case "name":
			name, err := s.text()
			if err != nil {
				return err
			}
			at := slices.IndexFunc(outputs, func(o output) bool { return o.name == string(name) })
			if at < 0 {
				return Refusef(http.StatusBadRequest, "there is no output %.80q; there are %q", name, outputNames())
			}
			w.output = &outputs[at]
		case "parameters":
			err = s.object(func(name []byte) error {
				value, err := s.value()
				if string(name) == "binary_data" {
					w.binary = string(value) == "true"
				}
				if n, fault := strconv.Atoi(string(value)); string(name) == "classification" && (fault != nil || n != 0) {
					return Refusef(http.StatusBadRequest, "outputs have no classification; output decision has the class")
				}
				return err
			})
		default:
			_, err = s.value()
		}
		return err
	})
	if err == nil && w.output == nil {
		err = Refusef(http.StatusBadRequest, "an output has no name; there are %q", outputNames())
	}
	in.wanted = append(in.wanted, w)
	return err
}
