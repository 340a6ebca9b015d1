package scoring

import "github.com/rfpragma/rfpragma/dataset"

// tensorMetadata says what a tensor is.
type tensorMetadata struct {
	Name     string  `json:"name"`
	Datatype string  `json:"datatype"`
	Shape    []int64 `json:"shape"`
}

// AppendMetadata appends what the model takes and gives, under a name, as /v2 has it.
func (s *Scorer) AppendMetadata(to []byte, name string) []byte {
	out := struct {
		Name       string           `json:"name"`
		Versions   []string         `json:"versions"`
		Platform   string           `json:"platform"`
		Inputs     []tensorMetadata `json:"inputs"`
		Outputs    []tensorMetadata `json:"outputs"`
		Parameters map[string]any   `json:"parameters"`
	}{Name: name, Versions: []string{s.Version}, Platform: "rfpragma", Parameters: map[string]any{
		"id": s.ID, "classes": s.Model.Classes()}}
	for j := range s.Fields {
		kind := fp64
		if s.Fields[j].Kind == dataset.Categorical {
			kind = bytesType
		}
		out.Inputs = append(out.Inputs, tensorMetadata{s.Fields[j].Name, kind, []int64{-1, 1}})
	}
	for _, o := range outputs {
		shape := []int64{-1}
		if o.byClass {
			shape = append(shape, int64(s.K))
		}
		out.Outputs = append(out.Outputs, tensorMetadata{o.name, o.datatype(), shape})
	}
	return AppendValue(to, out)
}
